import type { ShareAnswer, SharedVideo } from './open-link.ts'
import { element, paragraph, show } from './page.ts'
import { cameraTimes, type ShareText, text } from './texts.ts'

/** A browser holds short footage as a whole and would never notice that the link was ended. */
const CHECK_MS = 5000

/** A video shorter than its range by more than this has gaps. */
const GAP_SECONDS = 2

/**
 * Plays footage that is ready. `reopen` asks for the link again when the video fails: its address has expired after
 * twelve hours, or the link was ended, which it then shows.
 */
export function showFootage(footage: SharedVideo, url: string, reopen: () => Promise<ShareAnswer>): void {
  const { name, cameraName, from, till, timeZone, expiresAt, hasSound } = footage
  const times = cameraTimes(timeZone)
  const title = name === '' ? cameraName : name
  const about = element('p', { class: 'about' }, [
    ...(name === '' ? [] : [element('bdi', {}, [cameraName]), element('br')]),
    times.range(from, till),
  ])
  const shown = element('dd', {}, [times.moment(Date.parse(from))])
  const video = element('video', { src: url, controls: '', playsinline: '', preload: 'metadata', 'aria-label': title })
  const download = element('a', { class: 'button', href: toDownload(url) }, [text('Download video')])
  const problem = element('div', { role: 'alert' })
  video.addEventListener('timeupdate', () => {
    shown.textContent = times.moment(Date.parse(from) + video.currentTime * 1000)
  })
  let isRetried = false
  const goOn = async () => {
    if (isRetried) {
      problem.replaceChildren(paragraph('This browser can’t play the video. Download it to watch it.', 'bad'))
      return
    }
    isRetried = true
    const { currentTime: at, paused } = video
    const opened = await reopen()
    if (opened.kind !== 'footage' || opened.footage.url === null) return
    const { url: next } = opened.footage
    download.href = toDownload(next)
    const seek = () => {
      video.currentTime = at
    }
    video.addEventListener('loadedmetadata', seek, { once: true })
    video.src = next
    // A browser that doesn't allow it shows its button.
    if (!paused) await video.play().catch(() => undefined)
  }
  video.addEventListener('error', () => void goOn())
  // It plays, so a later failure is another one.
  video.addEventListener('playing', () => {
    isRetried = false
  })
  const check = async () => {
    if (!video.paused && (await isRefused(video.src)) && video.isConnected) await goOn()
    if (video.isConnected) setTimeout(check, CHECK_MS)
  }
  setTimeout(check, CHECK_MS)
  const row = (key: ShareText, value: HTMLElement): HTMLElement[] => [element('dt', {}, [text(key)]), value]
  const clock = row('Shown time', shown)
  for (const part of clock) part.hidden = true
  // With gaps, the place in the video doesn't tell the time, and a wrong time is worse than none.
  video.addEventListener('loadedmetadata', () => {
    const seconds = (Date.parse(till) - Date.parse(from)) / 1000
    for (const part of clock) part.hidden = video.duration < seconds - GAP_SECONDS
  })
  const list = element('dl', {}, [
    ...clock,
    ...(hasSound === false ? row('Sound', element('dd', {}, [text('None')])) : []),
    ...row('Link works until', element('dd', {}, [times.moment(Date.parse(expiresAt))])),
  ])
  show(title, about, element('section', {}, [video, problem, list, download]))
}

/** Whether the server no longer sends the file; false if it can't be asked. */
async function isRefused(url: string): Promise<boolean> {
  const asked = fetch(url, { headers: { range: 'bytes=0-0' }, cache: 'no-store', referrerPolicy: 'no-referrer' })
  const reply = await asked.catch(() => undefined)
  return reply?.status === 403 || reply?.status === 404
}

const toDownload = (url: string): string => `${url}&download=1`
