import type { Camera } from '@sightline/contract/cameras'
import { postStreamTicket } from '@sightline/contract/streams'
import { DateTimeField, FormDialog, Notice, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { localDate, timeOfDay } from '@sightline/shell/local-day'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { browserLocale } from '../locale.ts'
import { timelineQuery } from '../recordings/index.ts'
import {
  type ClipSpan,
  fieldProblem,
  lengthText,
  nextStart,
  readSpan,
  type SpanFields,
  suggestMarked,
  suggestSpan,
} from './clip-span.ts'
import { ProofFields, type ProofWish } from './ProofFields.tsx'
import { useText } from './text.ts'

interface DownloadClipProps {
  camera: Camera
  timeZone: string
  /** The time of the picture when the dialog was opened; undefined: live. */
  watched: number | undefined
  /** The range that is selected in the timeline. */
  marked?: ClipSpan | undefined
  open: boolean
  onClose: () => void
}

/** A list of footage is signed once a minute, and has a segment once its minute is over. */
const UNSIGNED_MS = 120_000

/** Starts the browser's own download, which shows its progress and continues after an interruption. */
function startDownload(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = `${url}&name=${encodeURIComponent(name)}`
  link.click()
}

/** A dialog to save footage as an MP4 file. */
export function DownloadClip({ camera, timeZone, watched, marked, open, onClose }: DownloadClipProps) {
  const t = useText()
  const { client } = useApplication()
  const save = useSave()
  // The suggestion stays as it was when the dialog opened.
  const [openedAt] = useState(() => Date.now())
  const [selected] = useState(() => (marked === undefined ? undefined : suggestMarked(marked, timeZone)))
  const [suggested] = useState(() => selected?.fields ?? suggestSpan(watched, { now: openedAt, timeZone }))
  const [proof, setProof] = useState<ProofWish>({ isWanted: false, reason: '' })
  const isTyped = (field: string) => (field === '' ? 'Enter a date and time' : undefined)
  const form = useForm<SpanFields>(suggested, { from: isTyped, till: isTyped }, t.message)
  const span = readSpan(form.values, timeZone, selected)
  const problem = fieldProblem(form.values, timeZone, selected)
  const download = form.submit(async () => {
    if (span === undefined) return
    const { cameraId, name } = camera
    // What several machines recorded comes as a file from each.
    for (let from: number | undefined = span.from; from !== undefined; ) {
      const times = { from: new Date(from).toISOString(), till: new Date(span.till).toISOString() }
      const body = { use: 'mp4', ...times, ...toProof(proof) } as const
      const made = await save(() => client.call(postStreamTicket, { params: { cameraId }, body }), {
        success: t('Download started'),
      })
      if ('failure' in made || made.saved.url === undefined) return
      const begin = `${localDate(from, timeZone)} ${timeOfDay(from, timeZone).replaceAll(':', '.')}`
      startDownload(made.saved.url, `${name} ${begin}`)
      from = nextStart(span, made.saved.till)
    }
    onClose()
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={t('Download footage')}
      submit={t('Download')}
      changed={false}
      valid={form.valid && span !== undefined}
      sendsUnchanged
      busy={form.busy}
      onSubmit={download}
    >
      <DateTimeField label={t('From')} required {...form.field('from')} />
      <DateTimeField label={t('To')} required {...form.field('till')} />
      {problem === undefined ? null : <Notice mood="danger">{t(problem)}</Notice>}
      {span === undefined ? null : <Recorded cameraId={camera.cameraId} span={span} />}
      <ProofFields wish={proof} onChange={setProof} isRecent={(span?.till ?? 0) > openedAt - UNSIGNED_MS} />
      <p className="text-sm text-muted">
        {t('The MP4 file may start a few seconds earlier. Times without footage are skipped.')}
      </p>
    </FormDialog>
  )
}

function toProof({ isWanted, reason }: ProofWish): { readonly proof?: { readonly reason?: string } } {
  const text = reason.trim()
  return isWanted ? { proof: text === '' ? {} : { reason: text } } : {}
}

/** How much footage there is in the span. */
function Recorded({ cameraId, span }: { cameraId: number; span: ClipSpan }) {
  const t = useText()
  const { client, languages } = useApplication()
  const { data } = useQuery(timelineQuery(client, { cameraId, day: span, isToday: false }))
  if (data === undefined) return null
  const within = data.recorded.map(({ from, till }) => Math.min(till, span.till) - Math.max(from, span.from))
  const recorded = within.reduce((sum, length) => sum + Math.max(0, length), 0)
  if (recorded === 0) return <Notice mood="warning">{t('Nothing was recorded in this time.')}</Notice>
  const locale = browserLocale(languages.current())
  const lengths = { recorded: lengthText(recorded, locale), span: lengthText(span.till - span.from, locale) }
  return <p role="status">{t('{recorded} of footage in {span}', lengths)}</p>
}
