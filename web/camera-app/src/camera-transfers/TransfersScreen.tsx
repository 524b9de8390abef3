import { type CameraTransfer, postCameraTransfer } from '@sightline/contract/camera-transfers'
import { BODY_WORN, type Camera } from '@sightline/contract/cameras'
import type { RecorderDevice } from '@sightline/contract/devices'
import { EmptyState, Skeleton, SkeletonGroup } from '@sightline/kit'
import { Loaded, Screen, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { cameraQueries } from '../cameras/index.ts'
import { deviceQueries } from '../devices/index.ts'
import { Gate, useOwnPermissions } from '../rights/index.ts'
import { zoneQueries } from '../zones/index.ts'
import { OfferForm } from './OfferForm.tsx'
import { TransferCard } from './TransferCard.tsx'
import { useText } from './text.ts'
import { transfersQuery } from './transfer-queries.ts'

const place = (
  <SkeletonGroup>
    <Skeleton className="h-44 w-full" />
    <Skeleton className="mt-5 h-72 w-full" />
  </SkeletonGroup>
)

/** The camera of the address, which is selected at first. */
function useStart(): number | undefined {
  const { camera } = useSearch({ strict: false }) as { readonly camera?: unknown }
  const cameraId = Number(camera)
  return Number.isSafeInteger(cameraId) && cameraId > 0 ? cameraId : undefined
}

interface Owned {
  readonly own: readonly Camera[]
  readonly offers: readonly CameraTransfer[]
  readonly devices: readonly RecorderDevice[]
}

/** Neither inputs of recorders nor body-worn cameras can be offered, and none that is in an open offer (decision 0124). */
function listOfferable({ own, offers, devices }: Owned): readonly Camera[] {
  const open = offers.filter(({ direction, status }) => direction === 'outgoing' && status === 'offered')
  const offered = open.flatMap(({ cameras }) => cameras.map(({ cameraId }) => cameraId))
  const inputs = devices.flatMap(({ channels }) => channels.map(({ cameraId }) => cameraId))
  const taken = new Set<number | null>([...offered, ...inputs])
  return own.filter(
    ({ cameraId, transferredAt, deviceTypeId }) =>
      transferredAt === null && deviceTypeId !== BODY_WORN && !taken.has(cameraId),
  )
}

function Transfers() {
  const t = useText()
  const { client } = useApplication()
  const start = useStart()
  const transfers = useQuery(transfersQuery(client))
  const cameras = useQuery(cameraQueries(client).list)
  const zones = useQuery(zoneQueries(client).list)
  const devices = useQuery(deviceQueries(client).list)
  return (
    <Loaded asked={[transfers, cameras, zones, devices] as const} place={place}>
      {(offers, own, places, recorders) => (
        <div className="space-y-6">
          {offers.length === 0 ? (
            <EmptyState icon="camera" title={t('No offers')}>
              {t('Cameras that another account offers to you, and those that you offer, appear here.')}
            </EmptyState>
          ) : (
            <ul aria-label={t('Offers')} className="space-y-4">
              {offers.map((transfer) => (
                <TransferCard key={transfer.cameraTransferId} transfer={transfer} zones={places} />
              ))}
            </ul>
          )}
          {own.length === 0 ? null : (
            <OfferForm cameras={listOfferable({ own, offers, devices: recorders })} start={start} />
          )}
        </div>
      )}
    </Loaded>
  )
}

/** Offers of cameras to other accounts and from them, for the owner only. */
export function TransfersScreen() {
  const t = useText()
  const own = useOwnPermissions()
  return (
    <Screen
      title={t('Camera transfers')}
      description={t('Give cameras to another account, or accept cameras that are offered to you.')}
      back={{ href: '/app/', label: t('All cameras') }}
      width="form"
    >
      <Gate
        own={own}
        needs={postCameraTransfer}
        loading={place}
        instead={
          <EmptyState icon="lock" title={t('Only the account owner can transfer cameras')}>
            {t('Ask the account owner.')}
          </EmptyState>
        }
      >
        {() => <Transfers />}
      </Gate>
    </Screen>
  )
}
