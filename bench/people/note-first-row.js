// Runs in the page: records when the first link to a user appeared, in milliseconds since the navigation started.
// JavaScript, because the browser gets the file unchanged.
const look = () => {
  if (document.querySelector('a[href^="/app/users/"]') === null) requestAnimationFrame(look)
  else globalThis.firstRowMs = performance.now()
}
requestAnimationFrame(look)
