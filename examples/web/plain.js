// The element in a page without a framework: one import, one element.
const { searchParams } = new URL(location.href);
const server = searchParams.get('server');

await import(`${server}/web/element.js`);

const question = document.createElement('askback-question');
question.setAttribute('src', server);
question.setAttribute('inquiry', searchParams.get('inquiry'));
question.setAttribute('token', searchParams.get('token'));
question.addEventListener('askback-resolved', ({ detail }) => {
  document.title = `Done: ${detail.inquiry.status}`;
});
document.querySelector('#place').append(question);
