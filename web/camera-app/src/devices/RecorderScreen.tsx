import { ApiFailure } from '@sightline/client'
import { deleteDevice, getDevice, type RecorderDevice } from '@sightline/contract/devices'
import { Button, buttonClass, EmptyState, Notice, Skeleton, SkeletonGroup, StatTile, Tabs } from '@sightline/kit'
import { byteSize, LoadFailed, Screen, useApplication, useConnectionLost, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams, useRouter } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { useMoments } from '../account-time/index.ts'
import { recorderTabs } from '../recorder-tabs.ts'
import { Gate, type OwnPermissions, useOwnPermissions } from '../rights/index.ts'
import { deviceQueries } from './device-queries.ts'
import { failureReasons, RecorderProgress } from './RecorderProgress.tsx'
import { offlineReason, RecorderState } from './RecorderState.tsx'
import { useText } from './text.ts'

const ADDRESS = '/recorders/$deviceId/{-$tab}'

const Loading = () => (
  <SkeletonGroup className="space-y-5">
    <Skeleton className="h-11 w-full" />
    <Skeleton className="h-64 w-full" />
  </SkeletonGroup>
)

function NoSuchRecorder() {
  const t = useText()
  return (
    <EmptyState
      icon="server"
      title={t("Recorder not found, or you don't have access to it")}
      action={
        <a data-here href="/app/recorders" className={buttonClass()}>
          {t('All recorders')}
        </a>
      }
    />
  )
}

/** Whether it responds, and how full its disks are. */
function Overview({ device }: { device: RecorderDevice }) {
  const t = useText()
  const { client } = useApplication()
  const { locale, shortly } = useMoments()
  const isLost = useConnectionLost()
  const status = useQuery(deviceQueries(client).status(device.deviceId)).data
  const storage = status?.storage ?? null
  const reason =
    status === undefined || status.online || isLost ? undefined : offlineReason(status.lastConnectionResult)
  const used = device.channels.filter(({ attached }) => attached).length
  return (
    <>
      {reason === undefined ? null : (
        <div className="mb-5">
          <Notice mood="warning">{t(reason)}</Notice>
        </div>
      )}
      <dl className="mb-6 grid grid-cols-2 gap-4 sm:grid-cols-3 *:last:col-span-2 sm:*:last:col-span-1">
        <div className="rounded-lg border border-border bg-surface px-4 py-4 shadow-card sm:px-5">
          <dt className="text-muted">{t('Status')}</dt>
          <dd className="mt-2">
            <RecorderState device={device} isLost={isLost} />
            {status?.lastSeen == null || status.online ? null : (
              <p className="mt-2 text-xs text-muted">{t('Last seen {when}', { when: shortly(status.lastSeen) })}</p>
            )}
          </dd>
        </div>
        <StatTile
          label={t('Inputs used as cameras')}
          value={t('{used} of {count}', { used, count: device.channels.length })}
          share={device.channels.length === 0 ? 0 : used / device.channels.length}
        />
        {storage === null ? (
          <StatTile label={t('Storage of the recorder')} value="–">
            {t("The recorder doesn't report its storage.")}
          </StatTile>
        ) : (
          <StatTile
            label={t('Storage of the recorder')}
            value={t('{used} of {count}', {
              used: byteSize(storage.usedBytes, locale),
              count: byteSize(storage.totalBytes, locale),
            })}
            share={storage.usedBytes / storage.totalBytes}
          />
        )}
      </dl>
    </>
  )
}

/** A recorder that isn't added yet, or couldn't be. */
function Unfinished({ device, own }: { device: RecorderDevice; own: OwnPermissions }) {
  const t = useText()
  const { client, queries } = useApplication()
  const router = useRouter()
  const save = useSave()
  if (device.additionStatus !== 'failure') return <RecorderProgress device={device} onFailure={null} />
  const remove = async () => {
    const done = await save(() => client.call(deleteDevice, { params: { deviceId: device.deviceId } }), {
      success: t('Recorder removed'),
    })
    if ('failure' in done) return
    void queries.invalidateQueries({ queryKey: ['devices'] })
    await router.navigate({ to: '/recorders' })
  }
  return (
    <EmptyState
      icon="server"
      title={t("{recorder} couldn't be added", { recorder: device.name })}
      action={
        own.may(deleteDevice) ? (
          <Button variant="secondary" onClick={() => void remove()}>
            {t('Remove from list')}
          </Button>
        ) : undefined
      }
    >
      {t(failureReasons[device.additionSubStatus])}
    </EmptyState>
  )
}

function Pages({ device, own, path }: { device: RecorderDevice; own: OwnPermissions; path: string | undefined }) {
  const t = useText()
  const tabs = recorderTabs.filter(({ needs }) => own.may(needs))
  const tab = tabs.find((one) => one.path === path)
  const [first] = tabs
  if (first === undefined) return <NoSuchRecorder />
  const params = { deviceId: String(device.deviceId), tab: first.path }
  if (tab === undefined) return <Navigate to={ADDRESS} params={params} replace />
  return (
    <>
      <Overview device={device} />
      <Tabs
        label={device.name}
        tabs={tabs.map((one) => ({
          href: `/app/recorders/${device.deviceId}/${one.path}`,
          label: t(one.label),
          current: one === tab,
        }))}
      />
      <Suspense key={tab.path} fallback={<Loading />}>
        <tab.Content device={device} own={own} />
      </Suspense>
    </>
  )
}

function Found({ deviceId, own, path }: { deviceId: number; own: OwnPermissions; path: string | undefined }) {
  const { client } = useApplication()
  const { data: device, error, refetch } = useQuery(deviceQueries(client).device(deviceId))
  if (error instanceof ApiFailure && error.status === 404) return <NoSuchRecorder />
  if (device === undefined)
    return error === null ? <Loading /> : <LoadFailed error={error} reset={() => void refetch()} />
  if (device.additionStatus !== 'added') return <Unfinished device={device} own={own} />
  return <Pages device={device} own={own} path={path} />
}

function Around({ title, description, children }: { title: string; description?: string; children: ReactNode }) {
  const t = useText()
  return (
    <Screen
      width="table"
      title={title}
      description={description}
      back={{ href: '/app/recorders', label: t('All recorders') }}
    >
      {children}
    </Screen>
  )
}

/** One recorder, with an address for each of its pages. */
export function RecorderScreen() {
  const t = useText()
  const { client } = useApplication()
  const { deviceId: text, tab } = useParams({ from: `/signed-in${ADDRESS}` })
  const deviceId = /^\d{1,15}$/.test(text) ? Number(text) : 0
  const own = useOwnPermissions()
  const { data: device } = useQuery({ ...deviceQueries(client).device(deviceId), enabled: deviceId > 0 })
  const make = [device?.brand, device?.model].filter((one) => typeof one === 'string' && one !== '').join(' ')
  return (
    <Around title={device?.name ?? t('Recorder')} {...(make === '' ? {} : { description: make })}>
      {deviceId === 0 ? (
        <NoSuchRecorder />
      ) : (
        <Gate own={own} needs={getDevice} loading={<Loading />} instead={<NoSuchRecorder />}>
          {(permissions) => <Found key={deviceId} deviceId={deviceId} own={permissions} path={tab} />}
        </Gate>
      )}
    </Around>
  )
}
