import type { SharedFootage } from '@sightline/contract/shares'
import { cameraTimes, language, type ShareText, text } from './texts.ts'

type Footage = NonNullable<SharedFootage['footage']>

/** What the server says of the link. */
type Opened =
  | { readonly kind: 'footage'; readonly footage: Footage }
  | { readonly kind: 'password' }
  | { readonly kind: 'wrongPassword' }
  | { readonly kind: 'wait' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'away' }

const PREPARING_MS = 2000
const SECRET = /^#([\w-]{22})$/

const page = document.getElementById('page') ?? document.body

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  content: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...content)
  return made
}

async function open(password: string | undefined): Promise<Opened> {
  const [, secret] = SECRET.exec(location.hash) ?? []
  if (secret === undefined) return { kind: 'gone' }
  const reply = await fetch('/rest/v2.4/sharedFootage/public', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret, ...(password !== undefined && { password }) }),
    referrerPolicy: 'no-referrer',
  }).catch(() => undefined)
  if (reply === undefined || reply.status >= 500) return { kind: 'away' }
  if (reply.status === 403) return { kind: 'wrongPassword' }
  if (reply.status === 429) return { kind: 'wait' }
  if (!reply.ok) return { kind: 'gone' }
  const { needsPassword, footage }: SharedFootage = await reply.json()
  return needsPassword || footage === null ? { kind: 'password' } : { kind: 'footage', footage }
}

function show(title: string, ...content: readonly Node[]): HTMLElement {
  const heading = element('h1', { tabindex: '-1' }, [title])
  page.replaceChildren(heading, ...content)
  document.title = title
  return heading
}

const paragraph = (key: ShareText, className = ''): HTMLElement =>
  element('p', className === '' ? {} : { class: className }, [text(key)])

async function load(password?: string): Promise<void> {
  const opened = await open(password)
  if (opened.kind === 'footage') return showFootage(opened.footage, password)
  if (opened.kind === 'gone') {
    show(
      text('This link doesn’t work'),
      element('section', {}, [
        paragraph('It has expired, was ended, or isn’t complete. Ask the person who sent it for a new one.'),
      ]),
    ).focus()
    return
  }
  if (opened.kind === 'away') {
    const again = element('button', { type: 'button' }, [text('Try again')])
    again.addEventListener('click', () => void load(password))
    const section = element('section', {}, [paragraph('No connection. Check your network and try again.'), again])
    show(text('Shared footage'), section)
    return
  }
  askPassword(opened)
}

function askPassword(opened: Exclude<Opened, { kind: 'footage' | 'gone' | 'away' }>): void {
  const input = element('input', { id: 'password', type: 'password', autocomplete: 'off', maxlength: '128' })
  const problem = element('p', { class: 'bad', role: 'alert', id: 'problem' })
  const hint = element('p', { class: 'hint', id: 'hint' }, [text('The person who sent the link has the password.')])
  input.setAttribute('aria-describedby', 'hint problem')
  if (opened.kind === 'wrongPassword') problem.textContent = text('That password isn’t right.')
  if (opened.kind === 'wait') problem.textContent = text('Too many tries. Wait a few minutes and try again.')
  const form = element('form', {}, [
    element('label', { for: 'password' }, [text('Password')]),
    hint,
    input,
    problem,
    element('button', { type: 'submit' }, [text('Open')]),
  ])
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (input.value === '') input.focus()
    else void load(input.value)
  })
  show(text('Shared footage'), element('section', {}, [form]))
  input.focus()
}

function showFootage(footage: Footage, password: string | undefined): void {
  const { name, cameraName, from, till, timeZone, expiresAt, status, progress, hasSound, url } = footage
  const times = cameraTimes(timeZone)
  const title = name === '' ? cameraName : name
  if (url === null) {
    if (status === 'Failed') {
      const sentence = paragraph('The footage couldn’t be prepared. Ask the person who sent the link.', 'bad')
      show(title, element('section', {}, [sentence]))
      return
    }
    const label = text('Footage is being prepared')
    const bar = element('progress', { max: '100', value: String(progress), 'aria-label': label })
    show(title, element('section', { role: 'status' }, [element('p', {}, [label]), bar]))
    setTimeout(() => void load(password), PREPARING_MS)
    return
  }
  const shown = element('dd', {}, [times.moment(Date.parse(from))])
  const video = element('video', { src: url, controls: '', playsinline: '', preload: 'metadata', 'aria-label': title })
  video.addEventListener('timeupdate', () => {
    shown.textContent = times.moment(Date.parse(from) + video.currentTime * 1000)
  })
  // The link may have been ended, or this address has expired: both are said by opening it again.
  video.addEventListener('error', () => void load(password), { once: true })
  const rows: readonly (readonly [ShareText, Node | string])[] = [
    ['Shown time', shown],
    ['Camera', cameraName],
    ['Time', times.range(from, till)],
    ...(hasSound === false ? ([['Sound', text('None')]] as const) : []),
    ['Link works until', times.moment(Date.parse(expiresAt))],
  ]
  const list = element(
    'dl',
    {},
    rows.flatMap(([key, value]) => [
      element('dt', {}, [text(key)]),
      value instanceof HTMLElement ? value : element('dd', {}, [value]),
    ]),
  )
  const download = element('a', { class: 'button', href: `${url}&download=1` }, [text('Download video')])
  show(title, element('section', {}, [video, list, download]))
}

document.documentElement.lang = language
window.addEventListener('hashchange', () => void load())
show(text('Shared footage'), element('p', { role: 'status' }, [text('Loading…')]))
void load()
