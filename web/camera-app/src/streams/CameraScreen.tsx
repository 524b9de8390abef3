import { ApiFailure } from '@sightline/client'
import { BODY_WORN, type Camera } from '@sightline/contract/cameras'
import { getMemberDenyReason } from '@sightline/contract/rights'
import { streamRules } from '@sightline/contract/streams'
import { Skeleton, SkeletonGroup } from '@sightline/kit'
import { accountQueries, LoadFailed, useApplication, useOwnMember, usePageTitle } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { cameraQueries } from '../cameras/index.ts'
import { NothingHere } from '../shell/NothingHere.tsx'
import { Stage } from '../stage/index.ts'
import { useText } from '../text.ts'
import { TransferredNotice } from '../transfer-notices.ts'
import { CameraWarnings } from '../warning-list.ts'
import { CameraHead } from './CameraHead.tsx'
import { useCameraPosition } from './use-camera-position.ts'

/** For a camera that doesn't exist or isn't accessible. The page doesn't say which. */
function NoSuchCamera() {
  const t = useText()
  return <NothingHere title={t("Camera not found, or you don't have access to it")} />
}

// Few people use support sessions, so this loads on demand.
const HiddenVideo = lazy(() =>
  import('../support-sessions/index.ts').then((module) => ({ default: module.HiddenVideo })),
)

// Few cameras are worn on a body, so this loads on demand.
const BodyCamera = lazy(() => import('../body-cameras/index.ts').then((module) => ({ default: module.BodyCamera })))

// Few cameras fail to be added, so this loads on demand.
const NotAdded = lazy(() => import('../camera-additions/index.ts').then((module) => ({ default: module.NotAdded })))

/** One camera: its live picture, and the footage of a day below it. */
export function CameraScreen() {
  const { cameraId: text } = useParams({ from: '/signed-in/cameras/$cameraId' })
  if (!/^\d{1,15}$/.test(text)) return <NoSuchCamera />
  // Another camera is another screen, so no state of the previous one may remain.
  return <KnownCamera key={text} cameraId={Number(text)} />
}

/**
 * Requests nothing else about a camera until it is known to exist, and neither video nor footage until the user's rights
 * are known: a support session without video gets neither.
 */
function KnownCamera({ cameraId }: { cameraId: number }) {
  const { client, queries } = useApplication()
  const { list, camera: one } = cameraQueries(client)
  const own = useOwnMember()
  // After the list, the data is already cached.
  const status = useQuery(cameraQueries(client).statuses).data?.get(cameraId)
  const listed = queries.getQueryData(list.queryKey)?.find((candidate) => candidate.cameraId === cameraId)
  const { data: camera, error, refetch } = useQuery({ ...one(cameraId), placeholderData: listed })
  if (error instanceof ApiFailure && error.status === 404) return <NoSuchCamera />
  if (camera !== undefined && status?.additionStatus === 'failure') {
    return (
      <Suspense fallback={null}>
        <NotAdded camera={camera} status={status} />
      </Suspense>
    )
  }
  if (camera?.deviceTypeId === BODY_WORN) {
    return (
      <Suspense fallback={null}>
        <BodyCamera camera={camera} />
      </Suspense>
    )
  }
  if (camera !== undefined && own.data !== undefined) {
    const isHidden = getMemberDenyReason(streamRules.live, own.data)?.check === 'support'
    return isHidden ? <HiddenCamera camera={camera} /> : <OneCamera camera={camera} />
  }
  const failure = camera === undefined ? error : own.error
  if (failure !== null) {
    const again = () => {
      void refetch()
      own.refetch()
    }
    return <LoadFailed error={failure} reset={again} />
  }
  return (
    <SkeletonGroup>
      <Skeleton className="mt-12 aspect-video max-h-[70dvh] w-full rounded-lg" />
    </SkeletonGroup>
  )
}

function HiddenCamera({ camera }: { camera: Camera }) {
  usePageTitle(camera.name)
  return (
    <div className="flex flex-col gap-3">
      <CameraHead camera={camera} />
      <Suspense fallback={null}>
        <HiddenVideo camera={camera} />
      </Suspense>
    </div>
  )
}

/** The times of a camera are those of its own zone. */
function useTimeZone({ timeZone }: Camera): string {
  const { client } = useApplication()
  const accountZone = useQuery(accountQueries(client).timeZone).data?.timeZone
  return timeZone ?? accountZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}

function OneCamera({ camera }: { camera: Camera }) {
  const { cameraId, name } = camera
  const { client } = useApplication()
  const status = useQuery(cameraQueries(client).statuses).data?.get(cameraId)
  const timeZone = useTimeZone(camera)
  const position = useCameraPosition(camera)
  const cameras = useMemo(() => [camera], [camera])
  usePageTitle(name)
  return (
    <div className="flex flex-col gap-3 lg:h-[calc(100dvh-3.8125rem-2rem-var(--room-below))] short:gap-1">
      <CameraHead camera={camera} />
      {camera.transferredAt === null ? null : (
        <Suspense fallback={null}>
          <TransferredNotice camera={camera} />
        </Suspense>
      )}
      {status === undefined || status.warnings.length === 0 ? null : (
        <Suspense fallback={null}>
          <CameraWarnings cameras={cameras} statuses={new Map([[cameraId, status]])} isOfOne />
        </Suspense>
      )}
      <Stage {...{ cameras, position, timeZone }} />
    </div>
  )
}
