import { type ExportFile, verifyExport } from '@sightline/contract/footage-proof'
import { element } from './element.ts'
import { reportView } from './report-view.ts'
import { type CheckLanguage, type CheckText, pickLanguage } from './texts.ts'

const FINGERPRINT = /[0-9a-f]{64}/g

/** The fingerprints in what was typed or read: of one key, or of a list as an installation publishes it. */
function readFingerprints(text: string): readonly string[] {
  const isList = text.includes('{')
  return (isList ? text : text.replaceAll(/[\s:]/g, '')).toLowerCase().match(FINGERPRINT) ?? []
}

const toFile = (file: File): ExportFile => ({
  bytes: file.size,
  read: async (from, till) => new Uint8Array(await file.slice(from, till).arrayBuffer()),
})

interface CheckFields {
  readonly key: HTMLInputElement
  readonly keyFile: HTMLInputElement
  readonly files: HTMLInputElement
  readonly problem: HTMLElement
  readonly results: HTMLElement
}

async function check({ key, keyFile, files, problem, results }: CheckFields, language: CheckLanguage): Promise<void> {
  const { text } = language
  results.replaceChildren()
  problem.textContent = ''
  const [list] = keyFile.files ?? []
  const trusted = [...readFingerprints(key.value), ...(list === undefined ? [] : readFingerprints(await list.text()))]
  if (trusted.length === 0) {
    problem.textContent = text('Enter the 64 characters of a fingerprint, or choose footage-keys.json.')
    return key.focus()
  }
  const chosen = [...(files.files ?? [])]
  if (chosen.length === 0) {
    problem.textContent = text('Choose at least one video file.')
    return files.focus()
  }
  for (const file of chosen) await checkFile(file, { trusted, results, language })
}

async function checkFile(
  file: File,
  given: { readonly trusted: readonly string[]; readonly results: HTMLElement; readonly language: CheckLanguage },
): Promise<void> {
  const { trusted, results, language } = given
  const label = language.text('Checking {name}', { name: file.name })
  const bar = element('progress', { max: '1', value: '0', 'aria-label': label })
  const running = element('section', {}, [element('p', {}, [label]), bar])
  results.append(running)
  const onProgress = (bytes: number) => {
    bar.value = bytes / Math.max(1, file.size)
  }
  try {
    const report = await verifyExport({ file: toFile(file), trusted, onProgress })
    running.replaceWith(reportView(file.name, report, language))
  } catch (cause) {
    running.replaceWith(failureView(file.name, cause, language))
  }
}

/** A browser without Ed25519, or a file that can't be read. */
function failureView(name: string, cause: unknown, { text }: CheckLanguage): HTMLElement {
  const isOld = cause instanceof DOMException && cause.name === 'NotSupportedError'
  const sentence: CheckText = isOld
    ? 'This browser can’t check signatures. Use a current version of Chrome, Edge, Firefox or Safari.'
    : 'The file couldn’t be read.'
  return element('section', {}, [element('h2', {}, [name]), element('p', { class: 'bad' }, [text(sentence)])])
}

function field(label: string, input: HTMLInputElement, hint?: string): HTMLElement {
  const named = element('label', { for: input.id }, [label])
  if (hint === undefined) return element('div', { class: 'field' }, [named, input])
  input.setAttribute('aria-describedby', `${input.id}-hint`)
  return element('div', { class: 'field' }, [
    named,
    element('p', { class: 'hint', id: `${input.id}-hint` }, [hint]),
    input,
  ])
}

/** Online only: the same page, to be kept. */
function saveLink({ text }: CheckLanguage): readonly HTMLElement[] {
  if (location.protocol === 'file:') return []
  const link = element('a', { href: location.pathname, download: 'footage-check.html' }, [text('Save this page')])
  return [element('p', {}, [link, ' ', text('It also works without an internet connection.')])]
}

function showPage(page: HTMLElement, language: CheckLanguage): void {
  const { text } = language
  document.documentElement.lang = language.name
  document.title = text('Check exported footage')
  const heading = [
    element('h1', {}, [text('Check exported footage')]),
    element('p', {}, [text('Find out whether an exported video is genuine. Nothing is uploaded.')]),
    ...saveLink(language),
  ]
  // Hashes and signatures need a page that came over https, or from the disk.
  if (!isSecureContext) {
    const sentence = text('This page needs https. Save it, and open it from your disk.')
    page.replaceChildren(...heading, element('p', { class: 'bad', role: 'alert' }, [sentence]))
    return
  }
  const key = element('input', { type: 'text', id: 'key', autocomplete: 'off', spellcheck: 'false', dir: 'ltr' })
  const keyFile = element('input', { type: 'file', id: 'key-file', accept: '.json,application/json' })
  const files = element('input', { type: 'file', id: 'files', accept: '.mp4,video/mp4', multiple: '' })
  const problem = element('p', { class: 'bad', role: 'alert' })
  const results = element('div', { 'aria-live': 'polite' })
  const button = element('button', { type: 'submit' }, [text('Check')])
  const hint = text(
    'The camera owner gives you these 64 characters. Get them separately from the video, for example by phone.',
  )
  const form = element('form', { novalidate: '' }, [
    field(text('Fingerprint of the key'), key, hint),
    field(text('Or choose footage-keys.json'), keyFile),
    field(text('Video files'), files),
    problem,
    button,
  ])
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    button.disabled = true
    const done = () => {
      button.disabled = false
    }
    check({ key, keyFile, files, problem, results }, language).then(done, done)
  })
  page.replaceChildren(...heading, form, results)
}

const page = document.querySelector<HTMLElement>('#page')
if (page !== null) showPage(page, pickLanguage(navigator.languages))
