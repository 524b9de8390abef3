import { type CopyTimes, toSeconds, toTime } from './copy-clock.ts'
import { element } from './page.ts'
import { text } from './texts.ts'

interface ScrubberInput {
  readonly video: HTMLVideoElement
  readonly copy: CopyTimes
  /** The same, as the browser plays it: it may begin earlier, which is known once the video's length is. */
  readonly played: () => CopyTimes
  /** A time in words. */
  readonly moment: (time: number) => string
}

const percent = (part: number): string => `${(part * 100).toFixed(3)}%`

/** A slider over the whole range by the camera's clock, with its gaps. It follows the video, and moves it. */
export function gapScrubber({ video, copy, played, moment }: ScrubberInput): HTMLElement {
  const { from, till, gaps } = copy
  const length = till - from
  const slider = element('input', {
    type: 'range',
    min: '0',
    max: String(length / 1000),
    step: '1',
    value: '0',
    'aria-label': text('Shown time'),
  })
  const marks = gaps.map((gap) => {
    const mark = element('span', {})
    // The policy of the page allows no styles in attributes.
    mark.style.left = percent((gap.from - from) / length)
    mark.style.width = percent((gap.till - gap.from) / length)
    return mark
  })
  const follow = () => {
    const time = toTime(played(), video.currentTime)
    slider.value = String(Math.floor((time - from) / 1000))
    slider.setAttribute('aria-valuetext', moment(time))
  }
  slider.addEventListener('input', () => {
    video.currentTime = toSeconds(played(), from + Number(slider.value) * 1000)
  })
  video.addEventListener('timeupdate', follow)
  follow()
  return element('div', { class: 'scrubber', dir: 'ltr' }, [
    element('div', { class: 'track', 'aria-hidden': 'true' }, marks),
    slider,
  ])
}
