import { ApiFailure } from '@sightline/client'
import { BODY_WORN, type Camera } from '@sightline/contract/cameras'
import { EmptyState, Notice, Skeleton, SkeletonGroup, Tabs } from '@sightline/kit'
import { LoadFailed, Screen, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from '@tanstack/react-router'
import { Suspense } from 'react'
import { cameraQueries } from '../cameras/index.ts'
import { type OwnPermissions, ReadOnly, useOwnPermissions, useReadOnlyReason } from '../rights/index.ts'
import { tabsOfRights } from '../settings-tabs.ts'
import { NothingHere } from '../shell/NothingHere.tsx'
import { TransferredNotice } from '../transfer-notices.ts'
import type { CameraFacts, SettingsTab } from './settings-tab.ts'
import { type Text, useText } from './text.ts'

const ADDRESS = '/cameras/$cameraId/settings/{-$tab}'

/** The settings of one camera, with an address for each tab. */
export function CameraSettingsScreen() {
  const t = useText()
  const { cameraId: text, tab } = useParams({ from: `/signed-in${ADDRESS}` })
  if (/^\d{1,15}$/.test(text)) return <KnownCamera key={text} cameraId={Number(text)} path={tab} />
  return <NothingHere title={t("Camera not found, or you don't have access to it")} />
}

const Loading = () => (
  <SkeletonGroup className="space-y-5">
    <Skeleton className="h-24 w-full" />
    <Skeleton className="h-64 w-full" />
  </SkeletonGroup>
)

const Waiting = ({ error, again }: { error: Error | null; again: () => void }) =>
  error === null ? <Loading /> : <LoadFailed error={error} reset={again} />

function KnownCamera({ cameraId, path }: { cameraId: number; path: string | undefined }) {
  const { client } = useApplication()
  const t = useText()
  const camera = useQuery(cameraQueries(client).camera(cameraId))
  const own = useOwnPermissions()
  const isGone = camera.error instanceof ApiFailure && camera.error.status === 404
  if (isGone) return <NothingHere title={t("Camera not found, or you don't have access to it")} />
  const error = (camera.data === undefined ? camera.error : null) ?? own.error
  const again = () => {
    void camera.refetch()
    own.refetch()
  }
  return (
    <Screen
      width="table"
      title={camera.data?.name ?? t('Camera settings')}
      description={camera.data === undefined ? undefined : t('Camera settings')}
      back={{
        href: `/app/cameras/${cameraId}`,
        label: t(camera.data?.deviceTypeId === BODY_WORN ? 'Camera' : 'Live video'),
      }}
    >
      {camera.data !== undefined && own.data !== undefined ? (
        <Settings camera={camera.data} own={own.data} path={path} />
      ) : (
        <Waiting error={error} again={again} />
      )}
    </Screen>
  )
}

const offlineTexts: Readonly<Record<Exclude<SettingsTab['keptBy'], 'neither'>, Text>> = {
  camera: 'This camera is offline. You can change these settings when it is back online.',
  server: 'This camera is offline. You can change these settings now. They apply when it is back online.',
  connection: 'This camera is offline. If its address or password has changed, correct it here.',
}

/** Says what an offline camera means for the settings of a tab. A private camera is off on purpose. */
function OfflineNotice({ camera, status, tab }: CameraFacts & { tab: SettingsTab }) {
  const t = useText()
  // A body-worn camera isn't connected yet: it is never online.
  if (camera.deviceTypeId === BODY_WORN) return null
  if (status === undefined || status.online || status.mode === 'private' || tab.keptBy === 'neither') return null
  return (
    <div className="mb-5">
      <Notice mood="warning">{t(offlineTexts[tab.keptBy])}</Notice>
    </div>
  )
}

function NotForYou() {
  const t = useText()
  return (
    <EmptyState icon="lock" title={t("You can't change this camera's settings")}>
      {t('Ask the account owner for the “Edit cameras” right.')}
    </EmptyState>
  )
}

interface SettingsProps {
  camera: Camera
  own: OwnPermissions
  path: string | undefined
}

function Settings({ camera, own, path }: SettingsProps) {
  const { client } = useApplication()
  const t = useText()
  const statuses = useQuery(cameraQueries(client).statuses)
  const reason = useReadOnlyReason(own)
  // Support may change the settings of a camera.
  const readOnly = own.standstill === 'support' ? undefined : reason
  const facts: CameraFacts = { camera, status: statuses.data?.get(camera.cameraId) }
  const isTransferred = camera.transferredAt !== null
  const isBodyWorn = camera.deviceTypeId === BODY_WORN
  const tabs = tabsOfRights(own.rights)
    .filter(({ isSupported }) => isSupported?.(facts) ?? !isBodyWorn)
    .filter(({ call }) => call === undefined || own.may(call))
    // What is left of a camera that another account has is its footage.
    .filter(({ path: of }) => !isTransferred || of === 'general')
  const [first] = tabs
  if (first === undefined) return <NotForYou />
  const tab = tabs.find((one) => one.path === path)
  if (tab === undefined) {
    // What a camera can do is known with its status.
    const isKnown = statuses.data !== undefined || statuses.error !== null
    const params = { cameraId: String(camera.cameraId), tab: first.path }
    return isKnown ? <Navigate to={ADDRESS} params={params} replace /> : <Loading />
  }
  return (
    <div className="lg:flex lg:gap-8">
      <Tabs
        beside
        label={t('Camera settings')}
        tabs={tabs.map((one) => ({
          href: `/app/cameras/${camera.cameraId}/settings/${one.path}`,
          label: t(one.label),
          current: one === tab,
        }))}
      />
      <div className="min-w-0 flex-1">
        <ReadOnly id="settings-read-only">{readOnly}</ReadOnly>
        {isTransferred ? (
          <div className="mb-5">
            <TransferredNotice camera={camera} />
          </div>
        ) : (
          <OfflineNotice {...facts} tab={tab} />
        )}
        <Suspense key={tab.path} fallback={<Loading />}>
          <tab.Content {...facts} own={own} readOnly={readOnly} />
        </Suspense>
      </div>
    </div>
  )
}
