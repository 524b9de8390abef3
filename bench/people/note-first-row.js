// Runs in the page: when a link to a person was there first, milliseconds since the navigation began.
// JavaScript, because it is given to the browser as it stands.
const look = () => {
  if (document.querySelector('a[href^="/app/users/"]') === null) requestAnimationFrame(look)
  else globalThis.firstRowMs = performance.now()
}
requestAnimationFrame(look)
