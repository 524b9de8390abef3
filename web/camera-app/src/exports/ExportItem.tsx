import type { FootageExport } from '@sightline/contract/exports'
import { Badge, Button, Notice, ProgressBar } from '@sightline/kit'
import { byteSize } from '@sightline/shell'
import { useState } from 'react'
import { useMoments } from '../account-time/index.ts'
import { useNow } from '../clock.ts'
import { lengthText } from '../length-text.ts'
import { DeleteExport } from './DeleteExport.tsx'
import { isUnfinished } from './export-queries.ts'
import { failureTexts, statusTexts } from './export-texts.ts'
import { TryAgain } from './TryAgain.tsx'
import { useText } from './text.ts'
import { useExportDownload } from './use-export-download.ts'

interface ExportItemProps {
  made: FootageExport
  title: string
}

/** One export: what it has, how far it is, and what can be done with it. */
export function ExportItem({ made, title }: ExportItemProps) {
  const t = useText()
  const { text, mood } = statusTexts[made.status]
  const { span } = useMoments()
  return (
    <li className="space-y-2 py-4" data-export={made.exportId} data-export-status={made.status}>
      <div className="flex items-start justify-between gap-3">
        <h3 className="min-w-0 font-medium wrap-anywhere">{title}</h3>
        <Badge mood={mood}>{t(text)}</Badge>
      </div>
      <p className="text-muted">
        {span(made.from, made.till)}
        {made.reason === '' ? null : <span className="block wrap-anywhere">{made.reason}</span>}
      </p>
      {isUnfinished(made) ? <Progress made={made} title={title} /> : null}
      {made.status === 'Done' ? <FileFacts made={made} /> : null}
      {made.failure === null ? null : <Notice mood="danger">{t(failureTexts[made.failure])}</Notice>}
      <Actions {...{ made, title }} />
    </li>
  )
}

function Progress({ made, title }: ExportItemProps) {
  const t = useText()
  const { locale } = useMoments()
  const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format(made.progress / 100)
  return (
    <div className="flex items-center gap-3">
      <ProgressBar
        label={t('Progress of {name}', { name: title })}
        {...(made.status === 'InProgress' ? { value: made.progress / 100 } : {})}
      />
      {made.status === 'InProgress' ? <span className="text-muted tabular-nums">{percent}</span> : null}
    </div>
  )
}

/** Of a file that is there: size, password, sound, and how long it stays. */
function FileFacts({ made }: { made: FootageExport }) {
  const t = useText()
  const { locale } = useMoments()
  const now = useNow()
  const facts = [
    made.format.toUpperCase(),
    ...(made.sizeBytes === null ? [] : [byteSize(made.sizeBytes, locale)]),
    ...(made.hasPassword ? [t('with a password')] : []),
    ...(made.hasSound === false ? [t('without sound')] : []),
    ...(made.overlay || made.logo || made.watermark !== null ? [t('picture changed, not the original')] : []),
    ...(made.speed > 1 ? [t('{speed}× speed, not the original', { speed: made.speed })] : []),
    ...(made.sound === 'hidden' ? [t('no playable sound')] : []),
  ]
  const left = made.expiresAt === null ? undefined : Date.parse(made.expiresAt) - now
  return (
    <p className="text-muted">
      {new Intl.ListFormat(locale, { type: 'unit', style: 'short' }).format(facts)}
      {left === undefined ? null : (
        <span className="block tabular-nums">
          {left > 0 ? t('Removed in {time}', { time: lengthText(left, locale) }) : t('Expired')}
        </span>
      )}
    </p>
  )
}

function Actions({ made, title }: ExportItemProps) {
  const t = useText()
  const [isDeleting, setDeleting] = useState(false)
  const end = isUnfinished(made) ? t('Cancel') : t('Delete')
  return (
    <div className="flex flex-wrap gap-2">
      {made.status === 'Done' ? <DownloadButton {...{ made, title }} /> : null}
      {made.status === 'Failed' ? <TryAgain {...{ made, title }} /> : null}
      {made.sha256 === null ? null : <CopyHash sha256={made.sha256} />}
      <Button variant="quiet" aria-label={`${end}: ${title}`} onClick={() => setDeleting(true)}>
        {end}
      </Button>
      <DeleteExport {...{ made, title }} open={isDeleting} onClose={() => setDeleting(false)} />
    </div>
  )
}

function DownloadButton({ made, title }: ExportItemProps) {
  const t = useText()
  const { isBusy, download } = useExportDownload(made.exportId)
  return (
    <Button icon="download" busy={isBusy} aria-label={`${t('Download')}: ${title}`} onClick={() => void download()}>
      {t('Download')}
    </Button>
  )
}

function CopyHash({ sha256 }: { sha256: string }) {
  const t = useText()
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(sha256)
    setCopied(true)
  }
  return (
    <Button variant="quiet" icon={isCopied ? 'check' : 'copy'} title={sha256} onClick={() => void copy()}>
      <span aria-live="polite">{isCopied ? t('Copied') : t('Copy SHA-256')}</span>
    </Button>
  )
}
