import { ApiFailure, type TaggedReply } from '@sightline/client'
import { patchCamera } from '@sightline/contract/cameras'
import { deleteZone, patchZone, type Zone } from '@sightline/contract/zones'
import {
  Button,
  buttonClass,
  Card,
  Details,
  EmptyState,
  FormCard,
  Notice,
  Skeleton,
  SkeletonGroup,
} from '@sightline/kit'
import { LoadFailed, Screen, UnsavedChanges, useApplication, useSave } from '@sightline/shell'
import { zoneInWords } from '@sightline/shell/time-zones'
import { useQuery } from '@tanstack/react-query'
import { useParams, useRouter } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import { ZoneModeCard, ZoneScheduleCard } from '../mode-controls.ts'
import { type OwnPermissions, useOwnPermissions } from '../rights/index.ts'
import { DeleteZone } from './DeleteZone.tsx'
import { MapLinks } from './MapLinks.tsx'
import { PlaceShown } from './PlaceShown.tsx'
import { useText } from './text.ts'
import { ZoneCameras } from './ZoneCameras.tsx'
import { ZoneFields } from './ZoneFields.tsx'
import { useZoneForm, zoneBody, zoneFields, zoneValues } from './zone-form.ts'
import { zoneQueries } from './zone-queries.ts'

const ZONE_IS_GONE = 404

/** The read-only view of a zone. */
function ReadZone({ zone }: { zone: Zone }) {
  const t = useText()
  const { languages } = useApplication()
  return (
    <Card title={t('Details')}>
      <Details
        details={[
          { label: t('Name'), value: zone.name },
          {
            label: t('Time zone'),
            value:
              zone.timeZone === null
                ? t('Account default')
                : zoneInWords(zone.timeZone, languages.current(), new Date()),
          },
          { label: t('Location'), value: <PlaceShown zone={zone} /> },
        ]}
      />
      <div className="mt-3">
        <MapLinks of={zone} />
      </div>
    </Card>
  )
}

function EditZone({ tagged }: { tagged: TaggedReply<Zone> }) {
  const { value: zone, etag } = tagged
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const form = useZoneForm(zoneValues(zone))
  const onSubmit = form.submit(async (values) => {
    const call = { params: { zoneId: zone.zoneId }, body: zoneBody(values) }
    const done = await save(
      () => client.tagged(patchZone, call, etag === undefined ? {} : { headers: { 'if-match': etag } }),
      {
        success: t('Zone saved'),
        messages: { 5: t('A zone with this name already exists.') },
        form: { fields: zoneFields, fieldOfCode: { 5: 'name' }, refuse: form.refuse },
      },
    )
    if ('saved' in done) queries.setQueryData(zoneQueries(client).zone(zone.zoneId).queryKey, done.saved)
    await queries.invalidateQueries({ queryKey: ['zones'] })
  })
  return (
    <FormCard
      title={t('Details')}
      onSubmit={onSubmit}
      footer={
        <Button type="submit" busy={form.busy} disabled={!(form.changed && form.valid)}>
          {t('Save changes')}
        </Button>
      }
    >
      <UnsavedChanges changed={form.changed} onDiscard={form.reset} />
      <div className="space-y-4">
        <ZoneFields form={form} />
        <MapLinks of={zone} />
      </div>
    </FormCard>
  )
}

function Around({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  const t = useText()
  return (
    <Screen width="form" title={title} actions={actions} back={{ href: '/app/zones', label: t('All zones') }}>
      {children}
    </Screen>
  )
}

/** One zone: its name, its location and its cameras. */
export function ZoneScreen() {
  const t = useText()
  const { zoneId: text } = useParams({ from: '/signed-in/zones/$zoneId' })
  if (/^\d{1,15}$/.test(text)) return <KnownZone key={text} zoneId={Number(text)} />
  return (
    <Around title={t('Zone')}>
      <NoSuchZone />
    </Around>
  )
}

function NoSuchZone() {
  const t = useText()
  return (
    <EmptyState
      icon="pin"
      title={t("Zone not found, or you don't have access to it")}
      action={
        <a data-here href="/app/zones" className={buttonClass()}>
          {t('All zones')}
        </a>
      }
    />
  )
}

function KnownZone({ zoneId }: { zoneId: number }) {
  const { client } = useApplication()
  const t = useText()
  const zone = useQuery(zoneQueries(client).zone(zoneId))
  const own = useOwnPermissions()
  const error = zone.error ?? own.error
  if (zone.data !== undefined && own.data !== undefined) return <OneZone tagged={zone.data} own={own.data} />
  if (error === null) {
    return (
      <Around title={t('Zone')}>
        <SkeletonGroup>
          <Skeleton className="h-64 w-full" />
        </SkeletonGroup>
      </Around>
    )
  }
  const again = () => void Promise.all([zone.refetch(), own.refetch()])
  return (
    <Around title={t('Zone')}>
      {error instanceof ApiFailure && error.status === ZONE_IS_GONE ? (
        <NoSuchZone />
      ) : (
        <LoadFailed error={error} reset={again} />
      )}
    </Around>
  )
}

function OneZone({ tagged, own }: { tagged: TaggedReply<Zone>; own: OwnPermissions }) {
  const zone = tagged.value
  const t = useText()
  const { client } = useApplication()
  const router = useRouter()
  const [deleting, setDeleting] = useState(false)
  const zones = useQuery(zoneQueries(client).list).data ?? []
  const mayMove = own.may(patchCamera)
  const mayEdit = own.may(patchZone)
  return (
    <Around
      title={zone.name}
      actions={
        own.may(deleteZone) && zone.whole ? (
          <Button variant="secondary" icon="trash" onClick={() => setDeleting(true)}>
            {t('Delete zone')}
          </Button>
        ) : undefined
      }
    >
      <div className="space-y-6">
        {zone.whole && mayEdit ? null : (
          <Notice>
            {zone.whole
              ? t("You can view this zone, but you don't have the “Edit zones” right.")
              : t("You have access to a camera in this zone, but not to the whole zone, so you can't change it.")}
          </Notice>
        )}
        {zone.whole && mayEdit ? (
          <Suspense fallback={null}>
            <ZoneModeCard zone={zone} />
          </Suspense>
        ) : null}
        {zone.whole && mayEdit ? <EditZone tagged={tagged} /> : <ReadZone zone={zone} />}
        {zone.whole ? (
          <Suspense fallback={null}>
            <ZoneScheduleCard zone={zone} />
          </Suspense>
        ) : null}
        <ZoneCameras zone={zone} zones={zones} mayMove={mayMove} />
      </div>
      <DeleteZone
        zone={deleting ? zone : undefined}
        others={zones.filter((one) => one.whole && one.zoneId !== zone.zoneId)}
        mayMove={mayMove}
        onClose={() => setDeleting(false)}
        onDeleted={() => void router.navigate({ to: '/zones' })}
      />
    </Around>
  )
}
