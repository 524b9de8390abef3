import { ApiFailure } from '@sightline/client'
import { type EdgeStorage, formatEdgeStorage } from '@sightline/contract/edge-storage'
import { Badge, Button, Card, ConfirmDialog, Details, Notice, ProgressBar, Skeleton } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMoments } from '../account-time/index.ts'
import { storageQueries } from './storage-queries.ts'
import { type Text, useText } from './text.ts'

const states: Readonly<Record<EdgeStorage['state'], Text>> = {
  ok: 'Ready',
  formatting: 'Formatting',
  formatted: 'Formatted',
  missing: 'No card',
  error: 'Faulty',
}

const moods = {
  ok: 'success',
  formatting: 'neutral',
  formatted: 'success',
  missing: 'neutral',
  error: 'danger',
} as const

const MIB_PER_GIB = 1024

function useSize(): (mebibytes: number) => string {
  const { languages } = useApplication()
  const number = new Intl.NumberFormat(languages.current(), { maximumFractionDigits: 1 })
  return (mebibytes) =>
    mebibytes < MIB_PER_GIB ? `${number.format(mebibytes)} MiB` : `${number.format(mebibytes / MIB_PER_GIB)} GiB`
}

/** Why a camera reports no card, by error code. */
const failures: Readonly<Record<number, Text>> = {
  11: 'This camera doesn’t report a card. Either it has none, or it doesn’t support ONVIF Profile G.',
  12: 'The camera rejected its user name and password.',
  14: 'The camera is offline, so its card isn’t known.',
  18: 'The camera is offline, so its card isn’t known.',
}

interface CardsProps {
  cameraId: number
  disabled: boolean
}

/** The cards that a camera reports. */
export function Cards({ cameraId, disabled }: CardsProps) {
  const t = useText()
  const { client } = useApplication()
  const cards = useQuery(storageQueries(client, cameraId).cards)
  if (cards.data !== undefined) {
    return cards.data.map((card) => (
      <OneCard key={card.edgeStorageId} cameraId={cameraId} card={card} disabled={disabled} />
    ))
  }
  const code = cards.error instanceof ApiFailure ? cards.error.code : undefined
  const reason = code === undefined ? undefined : failures[code]
  return (
    <Card title={t('Storage card')}>
      {cards.error === null ? (
        <Skeleton className="h-28 w-full" />
      ) : (
        <div className="space-y-4">
          <Notice mood={reason === undefined ? 'warning' : 'neutral'}>
            {t(reason ?? 'The camera didn’t say anything about its card. Try again.')}
          </Notice>
          <Button variant="secondary" icon="refresh" busy={cards.isFetching} onClick={() => void cards.refetch()}>
            {t('Try again')}
          </Button>
        </div>
      )}
    </Card>
  )
}

function OneCard({ cameraId, card, disabled }: CardsProps & { card: EdgeStorage }) {
  const t = useText()
  const moments = useMoments()
  const size = useSize()
  const { capacityMiB, usedMiB, recordedFrom, recordedUntil } = card
  const unknown = t('Not reported by the camera')
  return (
    <Card
      title={t('Storage card')}
      description={card.name === '' ? undefined : card.name}
      aside={<Badge mood={moods[card.state]}>{t(states[card.state])}</Badge>}
    >
      <div className="space-y-4">
        {capacityMiB === null || usedMiB === null || capacityMiB === 0 ? null : (
          <ProgressBar
            label={t('{used} of {capacity} used', { used: size(usedMiB), capacity: size(capacityMiB) })}
            value={usedMiB / capacityMiB}
          />
        )}
        <Details
          details={[
            { label: t('Capacity'), value: capacityMiB === null ? unknown : size(capacityMiB) },
            { label: t('Used'), value: usedMiB === null ? unknown : size(usedMiB) },
            { label: t('In use'), value: t(card.inUse ? 'Yes' : 'No') },
            {
              label: t('Footage'),
              value:
                recordedFrom === null || recordedUntil === null
                  ? unknown
                  : t('{from} to {until}', {
                      from: moments.shortly(recordedFrom),
                      until: moments.shortly(recordedUntil),
                    }),
            },
          ]}
        />
        <Format cameraId={cameraId} card={card} disabled={disabled} />
      </div>
    </Card>
  )
}

function Format({ cameraId, card, disabled }: CardsProps & { card: EdgeStorage }) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const [asks, ask] = useState(false)
  const [busy, setBusy] = useState(false)
  if (card.state === 'missing') return null
  if (!card.formattable) {
    return (
      <p className="text-sm text-muted">
        {t('This card can’t be formatted from here. Use the camera’s own page, or take the card out.')}
      </p>
    )
  }
  const { edgeStorageId } = card
  const format = async () => {
    setBusy(true)
    await save(() => client.call(formatEdgeStorage, { params: { cameraId, edgeStorageId } }), {
      success: t('Formatting has begun'),
      messages: {
        6: t('Another job is running on this camera. Try again when it has finished.'),
        11: t('This card can’t be formatted from here. Use the camera’s own page, or take the card out.'),
        18: t('The camera is offline, so its card can’t be formatted.'),
      },
    })
    setBusy(false)
    ask(false)
    void queries.invalidateQueries({ queryKey: storageQueries(client, cameraId).cards.queryKey })
  }
  return (
    <>
      <Button variant="secondary" disabled={disabled || card.state === 'formatting'} onClick={() => ask(true)}>
        {t('Format card')}
      </Button>
      <ConfirmDialog
        open={asks}
        onClose={() => ask(false)}
        title={t('Format this card?')}
        confirm={t('Format card')}
        danger
        busy={busy}
        onConfirm={() => void format()}
      >
        <p>
          {t(
            'All footage on the card will be permanently deleted, including footage that hasn’t filled a gap yet. Footage on the server is kept. Afterward, the camera records to the card again.',
          )}
        </p>
      </ConfirmDialog>
    </>
  )
}
