import { postCamera } from '@sightline/contract/camera-additions'
import { BODY_WORN, type Camera } from '@sightline/contract/cameras'
import { getMemberDenyReason } from '@sightline/contract/rights'
import { streamRules } from '@sightline/contract/streams'
import { Button, buttonClass, EmptyState, Icon, Skeleton, SkeletonGroup } from '@sightline/kit'
import { accountQueries, LoadFailed, useApplication, useMay, useOwnMember, usePageTitle } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { cameraQueries } from '../cameras/index.ts'
import { LayoutMenu } from '../saved-views/index.ts'
import { Stage } from '../stage/index.ts'
import { ChooseCameras } from './ChooseCameras.tsx'
import { moveTile } from './multiview-address.ts'
import { useText } from './text.ts'
import { type MultiviewPosition, useMultiviewPosition } from './use-multiview-position.ts'

const none: readonly Camera[] = []

/** Up to nine cameras at once, live or at the same recorded time. */
export function MultiviewScreen() {
  const t = useText()
  const { client } = useApplication()
  const own = useOwnMember()
  const list = useQuery(cameraQueries(client).list)
  usePageTitle(t('Multiview'))
  const watchable = useMemo(
    () => (list.data ?? none).filter(({ deviceTypeId }) => deviceTypeId !== BODY_WORN),
    [list.data],
  )
  if (own.data !== undefined && getMemberDenyReason(streamRules.live, own.data) !== undefined) return <NotWatched />
  const failure = (own.data === undefined ? own.error : null) ?? (list.data === undefined ? list.error : null)
  if (failure !== null) return <LoadFailed error={failure} reset={() => void list.refetch()} />
  if (list.data === undefined || own.data === undefined) {
    return (
      <SkeletonGroup>
        <Skeleton className="mt-12 aspect-video max-h-[70dvh] w-full rounded-lg" />
      </SkeletonGroup>
    )
  }
  return watchable.length === 0 ? <NoCameras /> : <Multiview cameras={watchable} />
}

/** A support session without video, or a user without the right to watch. */
function NotWatched() {
  const t = useText()
  return (
    <EmptyState icon="eyeOff" isPage title={t('You can’t watch video here')}>
      {t('Your permissions don’t include live video, or the owner hid it from this support session.')}
    </EmptyState>
  )
}

function NoCameras() {
  const t = useText()
  const may = useMay()
  const add =
    may(postCamera) === true ? (
      <a href="/app/cameras/add" className={buttonClass('primary')}>
        {t('Add camera')}
      </a>
    ) : undefined
  return (
    <EmptyState icon="grid" isPage title={t('No cameras to watch yet')} {...(add === undefined ? {} : { action: add })}>
      {t('Cameras appear here once they are added.')}
    </EmptyState>
  )
}

function useTimeZone(): string {
  const { client } = useApplication()
  const zone = useQuery(accountQueries(client).timeZone).data?.timeZone
  return zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}

function Multiview({ cameras }: { cameras: readonly Camera[] }) {
  const place = useMultiviewPosition(cameras)
  const { cameraIds, setCameras } = place
  const timeZone = useTimeZone()
  const shown = useMemo(
    () => cameraIds.flatMap((id) => cameras.find(({ cameraId }) => cameraId === id) ?? []),
    [cameraIds, cameras],
  )
  return (
    <div className="flex flex-col gap-3 lg:h-[calc(100dvh-3.8125rem-2rem-var(--room-below))] short:gap-1">
      <Head cameras={cameras} place={place} />
      <Stage
        cameras={shown}
        position={place}
        timeZone={timeZone}
        arrangement={{
          onMove: (cameraId, to) => setCameras(moveTile(cameraIds, cameraId, to)),
          onRemove: (cameraId) => setCameras(cameraIds.filter((id) => id !== cameraId)),
        }}
      />
    </div>
  )
}

interface HeadProps {
  cameras: readonly Camera[]
  place: MultiviewPosition
}

function Head({ cameras, place }: HeadProps) {
  const t = useText()
  const [opened, setOpened] = useState<{ readonly number: number; readonly isOpen: boolean }>()
  const open = () => setOpened((before) => ({ number: (before?.number ?? 0) + 1, isOpen: true }))
  const close = () => setOpened((before) => before && { ...before, isOpen: false })
  return (
    <header className="flex items-center gap-2 short:h-8 short:[&_button]:h-8">
      <h1 className="min-w-0 flex-1 truncate text-lg font-semibold tracking-tight">{t('Multiview')}</h1>
      <LayoutMenu cameraIds={place.cameraIds} onOpen={place.setCameras} />
      <Button variant="secondary" onClick={open}>
        <Icon name="grid" />
        {t('Choose cameras')}
      </Button>
      {opened === undefined ? null : (
        <ChooseCameras
          key={opened.number}
          open={opened.isOpen}
          onClose={close}
          chosen={place.cameraIds}
          onChoose={place.setCameras}
          cameras={cameras}
        />
      )}
    </header>
  )
}
