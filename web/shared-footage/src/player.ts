import { type CopyTimes, copySeconds, toPlayed, toTime } from './copy-clock.ts'
import { gapScrubber } from './gap-scrubber.ts'
import type { ShareAnswer, SharedVideo } from './open-link.ts'
import { element, paragraph, show } from './page.ts'
import { cameraTimes, type ShareText, text } from './texts.ts'

/** A browser holds short footage as a whole and would never notice that the link was ended. */
const CHECK_MS = 5000

/** A video that is shorter than it should be by more than this has gaps that aren't known. */
const GAP_SECONDS = 2

/** Cameras send a key picture at least this often. */
const LONGEST_LEAD_SECONDS = 12

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
  const video = element('video', { src: url, controls: '', playsinline: '', preload: 'metadata', 'aria-label': title })
  const download = element('a', { class: 'button', href: toDownload(url) }, [text('Download video')])
  const problem = element('div', { role: 'alert' })
  const copy = copyTimes(footage)
  /** What this browser plays: most begin at the key picture before the start. */
  let played = copy
  const shown = element('dd', {}, [times.moment(toTime(copy, 0))])
  video.addEventListener('timeupdate', () => {
    shown.textContent = times.moment(toTime(played, video.currentTime))
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
  const scrubbers =
    copy.gaps.length === 0 ? [] : [gapScrubber({ video, copy, played: () => played, moment: times.moment })]
  const timed = [...clock, ...scrubbers]
  for (const part of timed) part.hidden = true
  // With gaps that aren't known, the place in the video doesn't tell the time, and a wrong time is worse than none.
  video.addEventListener('loadedmetadata', () => {
    const more = video.duration - copySeconds(copy)
    played = toPlayed(copy, video.duration)
    const isKnown = more >= -GAP_SECONDS && more <= LONGEST_LEAD_SECONDS
    for (const part of timed) part.hidden = !isKnown
  })
  const missing = copy.gaps.map((gap) => element('div', {}, [times.span(gap)]))
  const list = element('dl', {}, [
    ...clock,
    ...(missing.length === 0 ? [] : row('No footage', element('dd', {}, missing))),
    ...(hasSound === false ? row('Sound', element('dd', {}, [text('None')])) : []),
    ...row('Link works until', element('dd', {}, [times.moment(Date.parse(expiresAt))])),
  ])
  show(title, about, element('section', {}, [video, ...scrubbers, problem, list, download]))
}

const copyTimes = ({ from, till, gaps }: SharedVideo): CopyTimes => ({
  from: Date.parse(from),
  till: Date.parse(till),
  gaps: (gaps ?? []).map((gap) => ({ from: Date.parse(gap.from), till: Date.parse(gap.till) })),
})

/** Whether the server no longer sends the file; false if it can't be asked. */
async function isRefused(url: string): Promise<boolean> {
  const asked = fetch(url, { headers: { range: 'bytes=0-0' }, cache: 'no-store', referrerPolicy: 'no-referrer' })
  const reply = await asked.catch(() => undefined)
  return reply?.status === 403 || reply?.status === 404
}

const toDownload = (url: string): string => `${url}&download=1`
