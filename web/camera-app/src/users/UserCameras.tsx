import type { TaggedReply } from '@sightline/client'
import type { CameraStatus } from '@sightline/contract/cameras'
import type { AccessExplanation } from '@sightline/contract/explanations'
import { type AccessPatch, getPersonAccess, patchPersonAccess, type UserAccess } from '@sightline/contract/sub-users'
import { Card, EmptyState, SettingSwitch, SwitchGroup } from '@sightline/kit'
import { SearchBox } from '@sightline/kit/table'
import { useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cameraQueries, Snapshot } from '../cameras/index.ts'
import { useSwitches } from '../right-switches/index.ts'
import { ReadOnly } from '../rights/index.ts'
import { zonesQuery } from './CameraChoice.tsx'
import {
  type AccessChange,
  type AssignableZone,
  afterChange,
  assignableZones,
  type PlacedCamera,
} from './camera-access.ts'
import { personQueries, refetchUser } from './people-queries.ts'
import { Loaded, type Pair, usePair, useReadOnly } from './person-page.tsx'
import { useText } from './text.ts'

const READ_ONLY = 'cameras-read-only'
/** More pictures would be a load for cameras and the network; above this number, only names are shown. */
const MOST_PICTURES = 24

/** The lists that a change affects; the other one stays the same. */
const patchOf = (change: AccessChange, after: UserAccess): AccessPatch => {
  if (change.kind === 'all') return { allCameras: after.allCameras }
  return change.kind === 'zone' ? { zoneIds: after.zoneIds } : { cameraIds: after.cameraIds }
}

function useAccessOf(userId: number) {
  const { client, queries } = useApplication()
  return useSwitches<UserAccess, AccessChange>({
    queryKey: personQueries(client, userId).access.queryKey,
    read: () => client.tagged(getPersonAccess, { params: { userId } }),
    apply: afterChange,
    send: (change, before, headers) => {
      const body = patchOf(change, afterChange(before, change))
      return client.tagged(patchPersonAccess, { params: { userId }, body }, { headers })
    },
    onSaved: () => refetchUser(queries, userId),
  })
}

const keyOf = (change: AccessChange): string => (change.kind === 'all' ? 'all' : `${change.kind}${change.id}`)

interface SwitchesOfAccess {
  readonly access: UserAccess
  readonly pending: ReadonlySet<string>
  readonly change: (change: AccessChange) => void
  readonly fixedBy: string | undefined
  readonly statuses: ReadonlyMap<number, CameraStatus> | undefined
}

/** A camera's picture next to its switch. */
function Picture({ camera, status }: { camera: PlacedCamera; status: CameraStatus | undefined }) {
  const t = useText()
  return (
    <span className="relative my-3 block aspect-video w-20 shrink-0 overflow-hidden rounded-sm bg-sunken">
      <Snapshot
        cameraId={camera.cameraId}
        online={status?.online === true}
        isPrivate={status?.mode === 'private'}
        label={t('Latest snapshot from {camera}', { camera: camera.name })}
      />
    </span>
  )
}

function CameraSwitch({
  camera,
  place,
  given,
}: {
  camera: PlacedCamera
  place: AssignableZone
  given: SwitchesOfAccess
}) {
  const t = useText()
  const { access, pending, change, fixedBy, statuses } = given
  const byZone = access.zoneIds.includes(place.zoneId)
  const fixed = byZone ? t('Included in zone {zone}.', { zone: place.name }) : undefined
  const reason = fixedBy === undefined && fixed !== undefined ? { fixed } : { fixedBy }
  return (
    <div className="flex gap-4">
      {statuses === undefined ? null : <Picture camera={camera} status={statuses.get(camera.cameraId)} />}
      <div className="min-w-0 grow">
        <SettingSwitch
          label={camera.name}
          checked={byZone || access.cameraIds.includes(camera.cameraId)}
          pending={pending.has(`camera${camera.cameraId}`)}
          {...reason}
          onChange={(on) => change({ kind: 'camera', id: camera.cameraId, on })}
        />
      </div>
    </div>
  )
}

function ZoneSwitches({ place, given }: { place: AssignableZone; given: SwitchesOfAccess }) {
  const t = useText()
  const { access, pending, change, fixedBy } = given
  const { zoneId, name, cameras, whole } = place
  const byZone = access.zoneIds.includes(zoneId)
  const on = byZone ? cameras.length : cameras.filter(({ cameraId }) => access.cameraIds.includes(cameraId)).length
  const fixed = whole ? undefined : t("You can't give access to the whole zone because you don't have it yourself.")
  return (
    <SwitchGroup title={name} on={on} of={cameras.length}>
      <SettingSwitch
        label={t('Whole zone {zone}', { zone: name })}
        description={
          cameras.length === 0
            ? t('No cameras yet. Includes any cameras added later.')
            : t('Includes {cameras}, and any cameras added later.', {
                cameras: cameras.map((camera) => camera.name).join(', '),
              })
        }
        checked={byZone}
        pending={pending.has(`zone${zoneId}`)}
        {...(fixedBy === undefined ? { fixed } : { fixedBy })}
        onChange={(checked) => change({ kind: 'zone', id: zoneId, on: checked })}
      />
      {cameras.map((camera) => (
        <CameraSwitch key={camera.cameraId} camera={camera} place={place} given={given} />
      ))}
    </SwitchGroup>
  )
}

interface EditorProps {
  pair: Pair
  access: TaggedReply<UserAccess>
}

/** The zones with their cameras that the current user has access to. */
function usePlaces() {
  const { client } = useApplication()
  const { data: zones = [] } = useQuery(zonesQuery(client))
  const { data: cameras = [] } = useQuery(cameraQueries(client).list)
  const { data: statuses } = useQuery(cameraQueries(client).statuses)
  return { places: assignableZones(zones, cameras), statuses: cameras.length > MOST_PICTURES ? undefined : statuses }
}

function Editor({ pair, access: { value: access } }: EditorProps) {
  const { person, own } = pair
  const { client } = useApplication()
  const t = useText()
  const readOnly = useReadOnly(pair)
  const { data: me } = useQuery(personQueries(client, own.userId).person)
  const { change, pending } = useAccessOf(person.userId)
  const [wanted, setWanted] = useState('')
  const { places, statuses } = usePlaces()
  const fixedBy = readOnly === undefined ? undefined : READ_ONLY
  const underWay = new Set(pending.map(keyOf))
  const needle = wanted.trim().toLocaleLowerCase()
  const isNamed = ({ name }: { name: string }) => name.toLocaleLowerCase().includes(needle)
  const found = places.flatMap((place) => {
    const cameras = isNamed(place) ? place.cameras : place.cameras.filter(isNamed)
    return isNamed(place) || cameras.length > 0 ? [{ ...place, cameras }] : []
  })
  const reachesAll = own.isOwner || me?.allCameras === true || access.allCameras
  const fixed = reachesAll ? undefined : t("You can't give access to all cameras because you don't have it yourself.")
  const given = { access, pending: underWay, change, fixedBy, statuses }
  return (
    <>
      <ReadOnly id={READ_ONLY}>{readOnly}</ReadOnly>
      <div className="mb-5 rounded-lg border border-border bg-surface px-5 shadow-card sm:px-6">
        <SettingSwitch
          label={t('All cameras')}
          description={t('Includes cameras added later.')}
          checked={access.allCameras || person.isSuperUser}
          pending={underWay.has('all')}
          {...(fixedBy === undefined ? { fixed } : { fixedBy })}
          onChange={(on) => change({ kind: 'all', on })}
        />
      </div>
      {access.allCameras || person.isSuperUser ? null : (
        <div className="space-y-5">
          <SearchBox label={t('Search zones and cameras')} text={wanted} onChange={setWanted} className="w-full" />
          {found.map((place) => (
            <ZoneSwitches key={place.zoneId} place={place} given={given} />
          ))}
          {found.length > 0 ? null : <EmptyState icon="camera" title={t('No zones or cameras match your search')} />}
        </div>
      )}
    </>
  )
}

const byTexts = {
  owner: 'The owner has access to every camera.',
  all: 'The user has access to all cameras.',
  camera: 'The user has access to this camera.',
  zone: "The user has access through the camera's zone.",
  missing: "The user doesn't have access to the camera or its zone.",
} as const

/** The view for people who may see users but not change them. */
export function ReachedCameras({ cameras }: { cameras: AccessExplanation['cameras'] }) {
  const t = useText()
  if (cameras.length === 0) return <EmptyState icon="camera" title={t('No cameras to show')} />
  return (
    <ul className="divide-y divide-border">
      {cameras.map((camera) => (
        <li key={camera.cameraId} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-3">
          <span className="min-w-0">
            <span className="block font-medium wrap-anywhere">{camera.name}</span>
            <span className="block text-xs text-muted">{camera.zoneName}</span>
          </span>
          <span className={camera.reached ? 'text-success-text' : 'text-muted'}>{t(byTexts[camera.by])}</span>
        </li>
      ))}
    </ul>
  )
}

function LookOnly({ pair }: { pair: Pair }) {
  const { client } = useApplication()
  const readOnly = useReadOnly(pair)
  const query = useQuery(personQueries(client, pair.person.userId).explanation)
  return (
    <>
      <ReadOnly id={READ_ONLY}>{readOnly}</ReadOnly>
      <Loaded query={query}>
        {({ cameras }) => (
          <Card>
            <ReachedCameras cameras={cameras} />
          </Card>
        )}
      </Loaded>
    </>
  )
}

function Editable({ pair }: { pair: Pair }) {
  const { client } = useApplication()
  const query = useQuery(personQueries(client, pair.person.userId).access)
  return <Loaded query={query}>{(access) => <Editor pair={pair} access={access} />}</Loaded>
}

/** The cameras that one user has access to. */
export function UserCameras() {
  const pair = usePair()
  if (pair === undefined) return null
  return pair.own.may(getPersonAccess) ? <Editable pair={pair} /> : <LookOnly pair={pair} />
}
