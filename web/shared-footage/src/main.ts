import { showBrand } from './brand.ts'
import { openLink, type ShareAnswer, type SharedVideo } from './open-link.ts'
import { element, paragraph, show } from './page.ts'
import { askPassword } from './password-form.ts'
import { showFootage } from './player.ts'
import { inMinutes, language, text } from './texts.ts'

/** How often a page that waits for footage asks for it. */
const POLL_MS = 2000

/** Cancelled when another link is entered in the same tab. */
let current = new AbortController()

async function load(hash: string, password?: string): Promise<void> {
  const { signal } = current
  const opened = await openLink(hash, password)
  if (!signal.aborted) showOpened({ hash, password }, opened)
}

interface Link {
  readonly hash: string
  readonly password: string | undefined
}

function showOpened(link: Link, opened: ShareAnswer): void {
  if (opened.kind === 'footage') showStatus(link, opened.footage)
  else if (opened.kind === 'gone')
    showEnd(
      text('This link doesn’t work'),
      text('It has expired, was ended, or isn’t complete. Ask the person who sent it for a new one.'),
    )
  else if (opened.kind === 'away') showRetry(link, text('No connection. Check your network and try again.'))
  else if (opened.kind === 'wait')
    showRetry(link, text('Too many tries. You can try again {time}.', { time: inMinutes(opened.waitMs) }))
  else askForPassword(link.hash)
}

function askForPassword(hash: string): void {
  const { signal } = current
  askPassword(async (password) => {
    const opened = await openLink(hash, password)
    const isRefused = opened.kind === 'wrongPassword' || opened.kind === 'wait'
    if (!isRefused && !signal.aborted) showOpened({ hash, password }, opened)
    return opened
  })
}

function showStatus(link: Link, footage: SharedVideo): void {
  const title = footage.name === '' ? footage.cameraName : footage.name
  if (footage.url !== null) play(link, footage, footage.url)
  else if (footage.status === 'Failed') {
    const sentence = paragraph('The footage couldn’t be prepared. Ask the person who sent the link.', 'bad')
    show(title, element('section', {}, [sentence]))
  } else {
    const label = text('Footage is being prepared')
    const bar = element('progress', { max: '100', value: String(footage.progress), 'aria-label': label })
    show(title, element('section', {}, [element('p', { role: 'status' }, [label]), bar]))
    void followProgress(link, bar)
  }
}

/** Moves the bar until there is something else to show. */
async function followProgress(link: Link, bar: HTMLProgressElement): Promise<void> {
  const { signal } = current
  let waitMs: number | undefined
  while (!signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, waitMs ?? POLL_MS))
    if (signal.aborted) return
    const opened = await openLink(link.hash, link.password)
    waitMs = opened.kind === 'wait' ? opened.waitMs : undefined
    if (signal.aborted || waitMs !== undefined) continue
    if (opened.kind !== 'footage' || opened.footage.status !== 'Preparing') {
      showOpened(link, opened)
      return
    }
    bar.value = opened.footage.progress
  }
}

function play(link: Link, footage: SharedVideo, url: string): void {
  const { signal } = current
  showFootage(footage, url, async () => {
    const opened = await openLink(link.hash, link.password)
    if (signal.aborted) return opened
    if (opened.kind === 'gone')
      showEnd(
        text('This link was ended'),
        text('It has expired, or the person who sent it ended it. Ask them for a new one.'),
      )
    else if (opened.kind !== 'footage') showOpened(link, opened)
    return opened
  })
}

const showEnd = (title: string, sentence: string): void =>
  show(title, element('section', {}, [element('p', {}, [sentence])]))

function showRetry({ hash, password }: Link, sentence: string): void {
  const again = element('button', { type: 'button' }, [text('Try again')])
  again.addEventListener('click', () => void load(hash, password))
  show(text('Shared footage'), element('section', {}, [element('p', { role: 'alert' }, [sentence]), again]))
}

function start(): void {
  current.abort()
  current = new AbortController()
  show(text('Shared footage'), element('p', { role: 'status' }, [text('Loading…')]))
  void load(location.hash)
}

document.documentElement.lang = language
const header = document.querySelector<HTMLElement>('#brand')
if (header !== null) void showBrand(header)
window.addEventListener('hashchange', start)
start()
