// Copies what a field holds.

/** @param {HTMLInputElement | HTMLTextAreaElement} field */
export async function copyField(field) {
  field.select();
  // The clipboard API exists only in secure contexts; copying the selection works everywhere.
  const isCopied = await navigator.clipboard?.writeText(field.value).then(
    () => true,
    () => false,
  );
  if (!isCopied) document.execCommand('copy');
}
