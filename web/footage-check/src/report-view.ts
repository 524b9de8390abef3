import type { ExportContent, ExportFinding, ExportReport } from '@sightline/contract/footage-proof'
import { element } from './element.ts'
import type { CheckLanguage, CheckText } from './texts.ts'

interface Span {
  readonly from: number
  readonly till: number
}

/** What the check of a file found, as a section of the page. */
export function reportView(name: string, report: ExportReport, language: CheckLanguage): HTMLElement {
  const { findings } = report
  const isGenuine = findings.length === 0
  const isDerived = report.manifest?.derived !== undefined
  const section = element('section', {}, [
    element('h2', {}, [name]),
    element('p', { class: `verdict ${isGenuine && !isDerived ? 'good' : 'bad'}` }, [language.text(verdictOf(report))]),
  ])
  if (isGenuine)
    section.append(element('p', {}, [language.text('Nothing was changed, cut or added since the export.')]))
  else section.append(listOf(findings.map((finding) => findingText(finding, language))))
  if (isKnown(report)) section.append(factsOf(report, language), listOf(reportNotes(report, language)))
  return section
}

function verdictOf(report: ExportReport): CheckText {
  if (report.findings.length === 0) return report.manifest?.derived ? 'Unchanged, but not the original' : 'Genuine'
  return isKnown(report) ? 'Not genuine' : 'Not verified'
}

/** Whether somebody trusted signed the file, so that what its manifest says counts. */
const isKnown = ({ signer }: ExportReport): boolean => signer !== undefined

const listOf = (texts: readonly string[]): HTMLElement =>
  element(
    'ul',
    {},
    texts.map((text) => element('li', {}, [text])),
  )

const spanText = ({ from, till }: Span, { text, time }: CheckLanguage): string =>
  text('{from} to {till}', { from: time(from), till: time(till) })

function findingText(finding: ExportFinding, language: CheckLanguage): string {
  const { text, number } = language
  const bytes = 'bytes' in finding ? finding.bytes : { from: 0, till: 0 }
  const span = 'time' in finding ? spanText(finding.time, language) : ''
  const values = { time: span, from: number(bytes.from), till: number(bytes.till) }
  switch (finding.kind) {
    case 'noManifest':
      return text('The file has no signature. It isn’t an export, or its end was cut off.')
    case 'unreadableManifest':
      return text('The signature can’t be read. It was changed, or this page is too old.')
    case 'unknownKey':
      return text('The file was signed with another key: {key}', { key: finding.fingerprint ?? finding.keyId })
    case 'changedManifest':
      return text('The details of the export were changed.')
    case 'changedStart':
      return text('The start of the file was changed (bytes {from} to {till}).', values)
    case 'changedPart':
      return text('{time}: changed or replaced (bytes {from} to {till})', values)
    case 'missing':
      return text('{time}: missing (at byte {from})', { ...values, from: number(finding.at) })
    case 'unlisted':
      return text('Bytes {from} to {till}: added, or from another video', values)
    case 'moved':
      return text('{time}: in the wrong place (bytes {from} to {till})', values)
    case 'notRecorded':
      return text('{time}: not what the camera recorded', values)
    case 'brokenList':
      return text('The list of recordings isn’t signed with this key.')
  }
}

function factsOf({ manifest, signer }: ExportReport, language: CheckLanguage): HTMLElement {
  const { text, time } = language
  const facts: [CheckText, string | undefined][] = [
    ['Camera', manifest && `${manifest.cameraName ?? ''} (${manifest.cameraId})`.trim()],
    ['Recorded', manifest && spanText(manifest.held, language)],
    ['Exported', manifest && time(Date.parse(manifest.exportedAt))],
    ['Exported by', manifest?.exportedBy],
    ['Reason', manifest?.reason],
    ['Key', signer?.fingerprint],
  ]
  const shown = facts.flatMap(([label, value]) =>
    value === undefined ? [] : [element('dt', {}, [text(label)]), element('dd', {}, [value])],
  )
  return element('dl', {}, shown)
}

const soundNotes: Readonly<Record<ExportContent['sound'], readonly CheckText[]>> = {
  kept: [],
  none: [],
  leftOut: [],
  encoded: ['The sound that plays was re-encoded. The original sound is in the file too, unchanged.'],
  replaced: ['The sound was re-encoded. The original sound isn’t in the file.'],
  hidden: ['The original sound is in the file, but players can’t play it.'],
}

/** Damaged footage was recorded, but pictures that are re-encoded can't show it. */
const gapText = (cause: string | null): CheckText =>
  cause === 'damaged' ? 'Damaged, so not in this file: {time}' : 'Not recorded: {time}'

/** What else there is to know about a file of a known signer. */
export function reportNotes({ manifest, recorded }: ExportReport, language: CheckLanguage): readonly string[] {
  const { text, number } = language
  if (manifest === undefined || recorded === undefined) return []
  const { proven, parts, unsigned, incomplete, elsewhere } = recorded
  const counted = (key: CheckText, count: number) => (count === 0 ? [] : [text(key, { count: number(count) })])
  const proof =
    manifest.derived === undefined
      ? [
          text('Sections that match what was signed during recording: {count} of {total}', {
            count: number(proven),
            total: number(parts),
          }),
          ...counted('Sections that only the export’s signature proves: {count}', unsigned),
          ...counted('Sections that are damaged or have no sound: {count}', incomplete),
        ]
      : [
          text(
            'The pictures were re-encoded to add text. This isn’t the original, and it doesn’t prove what was recorded.',
          ),
        ]
  return [
    ...proof,
    ...soundNotes[manifest.sound].map((key) => text(key)),
    ...manifest.gaps.map((gap) => text(gapText(gap.cause), { time: spanText(gap, language) })),
    ...elsewhere.map((span) => text('Recorded, but not in this file: {time}', { time: spanText(span, language) })),
  ]
}
