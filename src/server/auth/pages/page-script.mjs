// The script of the sign-in pages. Without it the redirect flow works all the same; the embedded form needs it.
const page = JSON.parse(document.getElementById('page').textContent)
const host = window.parent !== window ? window.parent : window.opener

// one exact target each: the browser drops what is not for the page's own origin
const post = (message) => page.origins.forEach((origin) => host.postMessage({...message, state: page.state}, origin))

if (page.login && host) post({name: 'login', data: page.login})

for (const button of document.querySelectorAll('[data-show-qr]')) {
  if (!host) continue
  button.hidden = false
  button.addEventListener('click', () => post({name: 'show_qr', data: {qrLink: page.qrLink}}))
}

for (const button of document.querySelectorAll('[data-reveal]')) {
  const input = document.getElementById(button.dataset.reveal)
  button.hidden = false
  button.addEventListener('click', () => {
    const isRevealed = input.type === 'password'
    input.type = isRevealed ? 'text' : 'password'
    button.setAttribute('aria-pressed', String(isRevealed))
    input.focus()
  })
}

for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', (event) => {
    if (form.getAttribute('aria-busy') === 'true') return event.preventDefault()
    form.setAttribute('aria-busy', 'true')
    for (const input of form.querySelectorAll('[data-secret]')) input.type = 'password'
  })
}
// back from the history: the form must be usable again
window.addEventListener('pageshow', () =>
  document.querySelectorAll('form').forEach((form) => form.removeAttribute('aria-busy')),
)

document.addEventListener('click', (event) => {
  for (const menu of document.querySelectorAll('details[open]')) if (!menu.contains(event.target)) menu.open = false
})
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return
  for (const menu of document.querySelectorAll('details[open]')) {
    menu.open = false
    menu.querySelector('summary').focus()
  }
})
