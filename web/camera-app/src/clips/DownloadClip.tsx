import type { Camera } from '@sightline/contract/cameras'
import { postStreamTicket } from '@sightline/contract/streams'
import { FormDialog, Notice, RadioGroup } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { localDate, timeOfDay } from '@sightline/shell/local-day'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ExportFields, type ExportWish, findWishFault, noWish, toNewExport, useNewExport } from '../exports/index.ts'
import { type ClipSpan, nextStart, spanProblem } from './clip-span.ts'
import { ProofFields, type ProofWish } from './ProofFields.tsx'
import { RangeFields } from './RangeFields.tsx'
import { recordedQuery } from './recorded-query.ts'
import { type Text, useText } from './text.ts'
import { useLengthText } from './use-length-text.ts'
import { useSpanForm } from './use-span-form.ts'

interface DownloadClipProps {
  /** One to nine. Several are always prepared as one file. */
  cameras: readonly Camera[]
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

type Way = 'now' | 'prepared'

/** Starts the browser's own download, which shows its progress and continues after an interruption. */
function startDownload(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = `${url}&name=${encodeURIComponent(name)}`
  link.click()
}

/** Downloads a span of one camera now. Resolves to whether all of its files were started. */
function useDownloadNow(timeZone: string) {
  const t = useText()
  const { client } = useApplication()
  const save = useSave()
  return async ({ cameraId, name }: Camera, span: ClipSpan, proof: ProofWish): Promise<boolean> => {
    // What several machines recorded comes as a file from each.
    for (let from: number | undefined = span.from; from !== undefined; ) {
      const times = { from: new Date(from).toISOString(), till: new Date(span.till).toISOString() }
      const body = { use: 'mp4', ...times, ...toProof(proof) } as const
      const made = await save(() => client.call(postStreamTicket, { params: { cameraId }, body }), {
        success: t('Download started'),
      })
      if ('failure' in made || made.saved.url === undefined) return false
      const begin = `${localDate(from, timeZone)} ${timeOfDay(from, timeZone).replaceAll(':', '.')}`
      startDownload(made.saved.url, `${name} ${begin}`)
      from = nextStart(span, made.saved.till)
    }
    return true
  }
}

/** A dialog to save footage: an MP4 file of one camera now, or a file that is prepared, of up to nine. */
export function DownloadClip({ cameras, timeZone, watched, marked, open, onClose }: DownloadClipProps) {
  const t = useText()
  const [openedAt] = useState(() => Date.now())
  const range = useSpanForm({ watched, marked, timeZone })
  const { form, times } = range
  const [way, setWay] = useState<Way>(cameras.length > 1 ? 'prepared' : 'now')
  const [proof, setProof] = useState<ProofWish>({ isWanted: false, reason: '' })
  const [wish, setWish] = useState<ExportWish>(noWish)
  const downloadNow = useDownloadNow(timeZone)
  const addExport = useNewExport()
  const problem = times === undefined ? undefined : spanProblem(times)
  const span = problem === undefined ? times : undefined
  const [camera] = cameras
  const cameraIds = cameras.map(({ cameraId }) => cameraId)
  const download = form.submit(async () => {
    if (span === undefined || camera === undefined) return
    const isBegun = await (way === 'now'
      ? downloadNow(camera, span, proof)
      : addExport(toNewExport({ cameraIds, span: untilNow(span) }, wish)))
    if (isBegun) onClose()
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={t('Download footage')}
      submit={way === 'now' ? t('Download') : t('Prepare file')}
      changed={false}
      valid={form.valid && span !== undefined && (way === 'now' || findWishFault(wish) === undefined)}
      sendsUnchanged
      busy={form.busy}
      onSubmit={download}
    >
      {cameras.length > 1 ? (
        <p className="wrap-anywhere">{cameras.map(({ name }) => name).join(', ')}</p>
      ) : (
        <ChooseWay way={way} onChange={setWay} />
      )}
      <RangeFields
        range={range}
        problem={problem === undefined ? undefined : t(problem)}
        length={span && <Recorded cameraIds={cameraIds} span={span} />}
      />
      {way === 'now' ? (
        <>
          <ProofFields wish={proof} onChange={setProof} isRecent={(span?.till ?? 0) > openedAt - UNSIGNED_MS} />
          <p className="text-sm text-muted">
            {t('The MP4 file may start a few seconds earlier. Times without footage are skipped.')}
          </p>
        </>
      ) : (
        <ExportFields wish={wish} onChange={setWish} cameras={cameras.length} />
      )}
    </FormDialog>
  )
}

function ChooseWay({ way, onChange }: { way: Way; onChange: (way: Way) => void }) {
  const t = useText()
  return (
    <RadioGroup
      label={t('Method')}
      options={[
        { value: 'now', label: t('Download now'), description: t('An MP4 video, sent right away.') },
        {
          value: 'prepared',
          label: t('Prepare a file'),
          description: t(
            'Exactly this time, signed, with an optional password. You can leave this page while it’s prepared.',
          ),
        },
      ]}
      value={way}
      onChange={onChange}
    />
  )
}

/** The suggested end is the next full minute, which is still to come while live. */
const untilNow = ({ from, till }: ClipSpan): ClipSpan => ({
  from,
  till: Math.max(from + 1, Math.min(till, Date.now())),
})

function toProof({ isWanted, reason }: ProofWish): { readonly proof?: { readonly reason?: string } } {
  const text = reason.trim()
  return isWanted ? { proof: text === '' ? {} : { reason: text } } : {}
}

/** How long the span is, and how much of it was recorded. Said once while both are the same. */
function Recorded({ cameraIds, span }: { cameraIds: readonly number[]; span: ClipSpan }) {
  const t = useText()
  const { client } = useApplication()
  const say = useLengthText()
  const { data: recorded } = useQuery(recordedQuery(client, { cameraIds, span }))
  const values = { duration: say(span.till - span.from), recorded: say(recorded ?? 0) }
  if (recorded === 0) {
    return (
      <>
        <p>{t('Duration: {duration}', values)}</p>
        <Notice mood="warning">{t('Nothing was recorded in this time.')}</Notice>
      </>
    )
  }
  return (
    <p role="status">
      {t(recordedText({ isKnown: recorded !== undefined, cameras: cameraIds.length, ...values }), values)}
    </p>
  )
}

interface RecordedValues {
  readonly isKnown: boolean
  readonly cameras: number
  /** As they are said. */
  readonly duration: string
  readonly recorded: string
}

function recordedText({ isKnown, cameras, duration, recorded }: RecordedValues): Text {
  if (!isKnown) return 'Duration: {duration}'
  if (cameras > 1) return 'Duration: {duration}, {recorded} of footage across all cameras'
  return duration === recorded
    ? 'Duration: {duration}, all of it recorded'
    : 'Duration: {duration}, {recorded} of it recorded'
}
