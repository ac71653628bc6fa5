// Lists the questions that wait, each with a link to its form.
const reply = await fetch('/inquiries?status=pending');
const { items } = await reply.json();
const list = document.createElement('ul');
for (const inquiry of items) {
  const link = document.createElement('a');
  link.href = `/q/${encodeURIComponent(inquiry.id)}`;
  link.textContent = inquiry.questions[0].text;
  const item = document.createElement('li');
  item.append(link);
  list.append(item);
}
document.querySelector('#app').append(list);
