import { getCameraTransfers } from '@sightline/contract/camera-transfers'
import type { Camera } from '@sightline/contract/cameras'
import { Notice } from '@sightline/kit'
import { useApplication, useMay } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useMoments } from '../account-time/index.ts'
import { useText } from './text.ts'
import { transfersQuery } from './transfer-queries.ts'

const LOOK_EVERY_MS = 60_000

/** Tells the owner that another account offers cameras, until each offer is accepted or declined; support isn't told. */
export function OfferNotice() {
  return useMay()(getCameraTransfers) === true ? <OpenOffers /> : null
}

function OpenOffers() {
  const t = useText()
  const { client } = useApplication()
  const { shortly } = useMoments()
  const { data = [] } = useQuery({ ...transfersQuery(client), refetchInterval: LOOK_EVERY_MS })
  const open = data.filter(({ direction, status }) => direction === 'incoming' && status === 'offered')
  const [first] = open
  if (first === undefined) return null
  const { senderName: sender, cameras, expiresAt } = first
  return (
    <div className="mb-6">
      <Notice mood="brand">
        <p className="font-medium wrap-anywhere">
          {open.length > 1
            ? t('{count} accounts offer you cameras.', { count: open.length })
            : t('{sender} offers you {count} cameras.', { sender, count: cameras.length })}
        </p>
        {open.length > 1 || expiresAt === null ? null : (
          <p>{t('Can be accepted until {time}.', { time: shortly(expiresAt) })}</p>
        )}
        <a data-here href="/app/transfers" className="mt-1 inline-block font-medium underline">
          {t('View offers')}
        </a>
      </Notice>
    </div>
  )
}

/** Says on the pages of a camera that another account has it now. */
export function TransferredNotice({ camera }: { camera: Camera }) {
  const t = useText()
  const { shortly } = useMoments()
  if (camera.transferredAt === null) return null
  return (
    <Notice>
      <p className="font-medium">
        {t('This camera was transferred to another account: {time}.', { time: shortly(camera.transferredAt) })}
      </p>
      <p>{t('It shows no live video here. Recordings from before stay in your account until they expire.')}</p>
    </Notice>
  )
}
