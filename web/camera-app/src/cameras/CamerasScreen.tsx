import { postSetupCode } from '@sightline/contract/body-cameras'
import { patchCameraMode } from '@sightline/contract/camera-modes'
import { BODY_WORN, type Camera, type CameraStatus } from '@sightline/contract/cameras'
import { getMemberDenyReason } from '@sightline/contract/rights'
import { streamRules } from '@sightline/contract/streams'
import {
  Badge,
  Button,
  buttonClass,
  EmptyState,
  Icon,
  inputClass,
  type Mood,
  ScreenTitle,
  SkeletonGroup,
  TilesSkeleton,
  tileGridClass,
} from '@sightline/kit'
import { LoadFailed, useApplication, useConnectionLost, useMay, useOwnMember, usePageTitle } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useMoments } from '../account-time/index.ts'
import { PrivacyButton, ZoneModesButton } from '../mode-controls.ts'
import { type Text, useText } from '../text.ts'
import { OfferNotice } from '../transfer-notices.ts'
import { CameraWarnings } from '../warning-list.ts'
import { cameraQueries } from './camera-queries.ts'
import { connectionReasons } from './connection-reasons.ts'
import { openingSoon } from './opening-soon.ts'
import { Snapshot } from './Snapshot.tsx'
import { useAddingWays } from './use-adding-ways.ts'

/** The camera's state as a word and a color. */
function stateOf(camera: Camera, status: CameraStatus | undefined): { text: Text; mood: Mood } {
  if (camera.deviceTypeId === BODY_WORN) return { text: 'No video yet', mood: 'neutral' }
  if (camera.transferredAt !== null) return { text: 'Transferred', mood: 'neutral' }
  if (status === undefined) return { text: 'Unknown', mood: 'neutral' }
  if (status.additionStatus === 'failure') return { text: 'Not added', mood: 'danger' }
  if (status.mode === 'private') return { text: 'Private', mood: 'neutral' }
  if (status.online) return { text: 'Online', mood: 'success' }
  switch (status.lastConnectionResult) {
    case 'credentialsIncorrect':
      return { text: 'Wrong password', mood: 'warning' }
    case 'neverConnected':
      return { text: 'Connecting', mood: 'neutral' }
    default:
      return { text: 'Offline', mood: 'danger' }
  }
}

/** Why an added camera is offline; undefined if it isn't, or if nobody knows. */
function reasonOf(status: CameraStatus | undefined): Text | undefined {
  if (status === undefined || status.online || status.additionStatus === 'failure') return undefined
  if (status.mode === 'private') return 'Nothing is shown or recorded in private mode'
  const result = status.lastConnectionResult
  return result === 'ok' || result === 'neverConnected' ? undefined : connectionReasons[result]
}

/** The modes that a tile names; armed is usual, and private is its state. */
const modeWords: Readonly<Partial<Record<CameraStatus['mode'], Text>>> = {
  silent: 'Silent',
  disarmed: 'Disarmed',
  scheduled: 'Scheduled',
}

interface CameraTileProps {
  camera: Camera
  status: CameraStatus | undefined
  /** The format of a time. */
  written: (moment: string) => string
  /** Whether the user can turn private mode on and off. */
  hasPrivacyButton: boolean
}

function CameraTile({ camera, status, written, hasPrivacyButton }: CameraTileProps) {
  const t = useText()
  const isLost = useConnectionLost()
  // If the connection is lost, the last known state isn't current.
  const { text, mood } = stateOf(camera, isLost ? undefined : status)
  const reason = reasonOf(isLost || camera.transferredAt !== null ? undefined : status)
  const seen = status?.lastSeen ?? undefined
  const when = seen === undefined ? undefined : written(seen)
  const { client } = useApplication()
  const mayWatch = useMay()(streamRules.live) === true
  const isShown = mayWatch && status?.online === true && status.mode !== 'private'
  const mode = isLost || status === undefined || camera.transferredAt !== null ? undefined : modeWords[status.mode]
  return (
    <li className="relative">
      <a
        data-here
        href={`/app/cameras/${camera.cameraId}`}
        {...(isShown && openingSoon(client, camera.cameraId))}
        className="group block overflow-hidden rounded-lg border border-border bg-surface shadow-card transition-shadow hover:shadow-popup"
      >
        <span className="relative block aspect-video overflow-hidden bg-sunken">
          <Snapshot
            cameraId={camera.cameraId}
            online={status?.online === true}
            isPrivate={status?.mode === 'private'}
            label={t('Latest snapshot from {camera}', { camera: camera.name })}
          />
        </span>
        <span className="flex items-center gap-3 px-4 py-3">
          <span className="min-w-0 grow">
            <span className="block truncate font-medium group-hover:text-link">{camera.name}</span>
            {status?.online === false && when !== undefined ? (
              <span className="block truncate text-xs text-muted">{t('Last seen {when}', { when })}</span>
            ) : null}
            {mode === undefined ? null : <span className="block truncate text-xs text-muted">{t(mode)}</span>}
            {reason === undefined ? null : <span className="block text-xs text-muted">{t(reason)}</span>}
          </span>
          <Badge mood={mood}>{t(text)}</Badge>
        </span>
      </a>
      {hasPrivacyButton && status !== undefined && status.additionStatus !== 'failure' ? (
        <Suspense fallback={null}>
          <PrivacyButton
            camera={camera}
            status={status}
            className="absolute! end-2 top-2 border border-border bg-surface/90"
          />
        </Suspense>
      ) : null}
    </li>
  )
}

const LoadingTiles = () => (
  <SkeletonGroup>
    <TilesSkeleton />
  </SkeletonGroup>
)

function Search({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const t = useText()
  return (
    <label className="relative block w-full sm:w-64">
      <span className="sr-only">{t('Search cameras')}</span>
      <span className="pointer-events-none absolute inset-y-0 start-3 flex items-center text-muted">
        <Icon name="search" size={18} />
      </span>
      <input
        type="search"
        value={text}
        placeholder={t('Search cameras')}
        onChange={(event) => onChange(event.target.value)}
        className={`${inputClass} ps-10`}
      />
    </label>
  )
}

/** The page on which the user may add a camera: by its address or MAC address, or only one that is worn. Undefined until it is known. */
function useAddingPage(): string | null | undefined {
  const may = useMay()
  const ways = useAddingWays()
  const byCode = may(postSetupCode)
  if (ways === undefined || byCode === undefined) return undefined
  if (ways.byAddress || ways.byMacAddress) return '/app/cameras/add'
  return byCode ? '/app/body-cameras/add' : null
}

function AddCameraLink({ href }: { href: string }) {
  const t = useText()
  return (
    <a data-here href={href} className={buttonClass()}>
      <Icon name="plus" size={18} />
      {t('Add camera')}
    </a>
  )
}

/** Users who may add cameras begin here; others get access from the owner. */
function NoCameras() {
  const t = useText()
  const page = useAddingPage()
  if (page === undefined) return null
  return (
    <EmptyState
      icon="camera"
      title={t('No cameras yet')}
      action={page === null ? undefined : <AddCameraLink href={page} />}
    >
      {t(
        page !== null
          ? 'Add your first camera to watch it live and record it.'
          : 'Cameras appear here when the account owner gives you access.',
      )}
    </EmptyState>
  )
}

interface WarningsProps {
  cameras: readonly Camera[]
  statuses: ReadonlyMap<number, CameraStatus> | undefined
}

/** What should be changed about these cameras, if anything. */
function Warnings({ cameras, statuses }: WarningsProps) {
  const isWarned = ({ cameraId }: Camera) => (statuses?.get(cameraId)?.warnings.length ?? 0) > 0
  const warned = cameras.filter(isWarned)
  if (statuses === undefined || warned.length === 0) return null
  return (
    <Suspense fallback={null}>
      <CameraWarnings cameras={warned} statuses={statuses} />
    </Suspense>
  )
}

function Tiles({ cameras, onClear }: { cameras: readonly Camera[]; onClear: (() => void) | undefined }) {
  const { client } = useApplication()
  const t = useText()
  const { shortly } = useMoments()
  const statuses = useQuery(cameraQueries(client).statuses).data
  const own = useOwnMember().data
  // The call is everyone's; who may make which change is up to the rights.
  const hasPrivacyButton =
    own !== undefined && getMemberDenyReason({ ...patchCameraMode, right: 'cameraPrivacyButton' }, own) === undefined
  if (cameras.length > 0) {
    return (
      <>
        <Warnings cameras={cameras} statuses={statuses} />
        <ul className={tileGridClass}>
          {cameras.map((camera) => (
            <CameraTile
              key={camera.cameraId}
              camera={camera}
              status={statuses?.get(camera.cameraId)}
              written={shortly}
              hasPrivacyButton={hasPrivacyButton && camera.transferredAt === null}
            />
          ))}
        </ul>
      </>
    )
  }
  if (onClear === undefined) return <NoCameras />
  return (
    <EmptyState
      icon="search"
      title={t('No cameras match your search')}
      action={
        <Button variant="secondary" onClick={onClear}>
          {t('Show all cameras')}
        </Button>
      }
    />
  )
}

/** All cameras that the user has access to, with their latest picture and state. */
export function CamerasScreen() {
  const { client } = useApplication()
  const t = useText()
  usePageTitle(t('Cameras'))
  const [wanted, setWanted] = useState('')
  const page = useAddingPage()
  const isOwner = useOwnMember().data?.isSuperUser === true
  const { data: cameras, error, refetch } = useQuery(cameraQueries(client).list)
  const needle = wanted.trim().toLocaleLowerCase()
  const shown = cameras?.filter((camera) => camera.name.toLocaleLowerCase().includes(needle))
  const body =
    shown === undefined ? (
      <LoadingTiles />
    ) : (
      <Tiles cameras={shown} onClear={needle === '' ? undefined : () => setWanted('')} />
    )
  return (
    <div className="mx-auto max-w-[110rem]">
      <ScreenTitle
        title={t('Cameras')}
        actions={
          <>
            {cameras?.length === 0 ? null : (
              <>
                <Search text={wanted} onChange={setWanted} />
                <Suspense fallback={null}>
                  <ZoneModesButton />
                </Suspense>
              </>
            )}
            {typeof page === 'string' && cameras !== undefined && cameras.length > 0 ? (
              <AddCameraLink href={page} />
            ) : null}
          </>
        }
      />
      {isOwner ? (
        <Suspense fallback={null}>
          <OfferNotice />
        </Suspense>
      ) : null}
      {error !== null && cameras === undefined ? <LoadFailed error={error} reset={() => void refetch()} /> : body}
    </div>
  )
}
