import { ApiFailure, type TaggedReply } from '@sightline/client'
import {
  getPermissionProfile,
  type PermissionProfile,
  patchPermissionProfile,
  profileNameProblem,
} from '@sightline/contract/permission-profiles'
import { allRights, type Right } from '@sightline/contract/rights'
import type { RightSwitches as RightChanges } from '@sightline/contract/sub-users'
import {
  Badge,
  Button,
  buttonClass,
  Card,
  EmptyState,
  FormCard,
  Skeleton,
  SkeletonGroup,
  TextField,
  useForm,
} from '@sightline/kit'
import { LoadFailed, Screen, UnsavedChanges, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useParams, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { CHANGED_MEANWHILE, ifMatch, RightSwitches, useSwitches } from '../right-switches/index.ts'
import { fixedRight, Gate, type OwnPermissions, ReadOnly, useOwnPermissions, useRightsText } from '../rights/index.ts'
import { DeleteProfile } from './DeleteProfile.tsx'
import { useProfilesReadOnly } from './ProfilesScreen.tsx'
import { holdersQuery, profileQuery } from './profile-queries.ts'
import { useText } from './text.ts'

const READ_ONLY = 'profile-read-only'
const rules = { name: profileNameProblem }

function Name({ tagged }: { tagged: TaggedReply<PermissionProfile> }) {
  const profile = tagged.value
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const form = useForm({ name: profile.name }, rules, t.message)
  const { permissionProfileId } = profile
  const rename = async ({ name }: { name: string }) => {
    const call = { params: { permissionProfileId }, body: { name } }
    const outcome = await save(() => client.tagged(patchPermissionProfile, call, { headers: ifMatch(tagged) }), {
      success: t('Profile renamed to {profile}', { profile: name }),
      messages: { 6: CHANGED_MEANWHILE },
      form: { fields: ['name'], fieldOfCode: { 5: 'name' }, refuse: form.refuse },
    })
    const { queryKey } = profileQuery(client, permissionProfileId)
    if ('saved' in outcome) queries.setQueryData(queryKey, outcome.saved)
    else void queries.invalidateQueries({ queryKey })
    void queries.invalidateQueries({ queryKey: ['permissionProfiles'] })
    void queries.invalidateQueries({ queryKey: ['people'] })
  }
  return (
    <FormCard
      className="mb-5"
      onSubmit={form.submit(rename)}
      footer={
        <Button type="submit" busy={form.busy} disabled={!(form.changed && form.valid)}>
          {t('Save changes')}
        </Button>
      }
    >
      <UnsavedChanges changed={form.changed} onDiscard={form.reset} />
      <TextField label={t('Name')} required maxLength={64} autoComplete="off" {...form.field('name')} />
    </FormCard>
  )
}

/** The users of this profile. */
function Holders({ profile }: { profile: PermissionProfile }) {
  const { client } = useApplication()
  const t = useText()
  const { permissionProfileId, users } = profile
  const { data: holders, error, refetch } = useQuery(holdersQuery(client, permissionProfileId, users))
  if (holders === undefined && error !== null) return <LoadFailed error={error} reset={() => void refetch()} />
  return (
    <Card className="mb-5" title={t('Users: {count}', { count: users })}>
      {users === 0 ? <p className="text-muted">{t('No users have this profile.')}</p> : null}
      {holders === undefined ? (
        <SkeletonGroup>
          <Skeleton className="h-5 w-48" />
        </SkeletonGroup>
      ) : (
        <ul className="flex max-h-48 flex-wrap gap-x-4 gap-y-1 overflow-y-auto">
          {holders.map(({ userId, firstName, lastName }) => (
            <li key={userId}>
              <a
                data-here
                href={`/app/users/${userId}/rights`}
                className="inline-flex min-h-8 items-center text-link underline pointer-coarse:min-h-11"
              >
                {`${firstName} ${lastName}`}
              </a>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const withRights = (profile: PermissionProfile, changes: RightChanges): PermissionProfile => ({
  ...profile,
  rights: {
    ...profile.rights,
    ...Object.fromEntries(Object.entries(changes).filter(([, on]) => on !== undefined)),
  },
})

interface EditorProps {
  profile: TaggedReply<PermissionProfile>
  own: OwnPermissions
  readOnly: string | undefined
}

function Rights({ profile: { value: profile }, own, readOnly }: EditorProps) {
  const { client, queries } = useApplication()
  const t = useRightsText()
  const { permissionProfileId } = profile
  const { change, pending } = useSwitches<PermissionProfile, RightChanges>({
    queryKey: profileQuery(client, permissionProfileId).queryKey,
    read: () => client.tagged(getPermissionProfile, { params: { permissionProfileId } }),
    apply: withRights,
    send: (rights, _, headers) =>
      client.tagged(patchPermissionProfile, { params: { permissionProfileId }, body: { rights } }, { headers }),
    onSaved: () => {
      for (const queryKey of [['permissionProfiles'], ['users'], ['people']]) {
        void queries.invalidateQueries({ queryKey, refetchType: 'none' })
      }
    },
  })
  const fixedOf = (right: Right) => {
    const reason = readOnly === undefined ? fixedRight(right, own) : undefined
    return reason === undefined ? undefined : t(reason)
  }
  return (
    <RightSwitches
      isOn={(right) => profile.rights[right]}
      fixedOf={fixedOf}
      fixedBy={readOnly === undefined ? undefined : READ_ONLY}
      pending={new Set(pending.flatMap((changes) => allRights.filter((right) => changes[right] !== undefined)))}
      onChange={change}
    />
  )
}

function Editor({ profile, own }: Omit<EditorProps, 'readOnly'>) {
  const t = useText()
  const router = useRouter()
  const [deleting, setDeleting] = useState(false)
  const standing = useProfilesReadOnly(own)
  const { builtin, users, name } = profile.value
  const fixed = builtin ? t("You can't change a built-in profile. Copy it to create your own.") : undefined
  const readOnly = standing ?? fixed
  const on = allRights.filter((right) => profile.value.rights[right]).length
  return (
    <>
      <ReadOnly id={READ_ONLY}>{readOnly}</ReadOnly>
      <div className="mb-5 flex flex-wrap items-center gap-2">
        {builtin ? <Badge icon="lock">{t('Built-in')}</Badge> : null}
        <span className="me-auto text-muted">
          {t('{count} of {total} rights are on', { count: on, total: allRights.length })}
        </span>
        {readOnly === undefined ? (
          <Button variant="secondary" icon="trash" onClick={() => setDeleting(true)}>
            {t('Delete')}
          </Button>
        ) : null}
      </div>
      {readOnly === undefined ? <Name tagged={profile} /> : null}
      <Holders profile={profile.value} />
      {users > 0 && readOnly === undefined ? (
        <p className="mb-4 text-muted">
          {t('Changes apply immediately to every user with the profile {profile}.', { profile: name })}
        </p>
      ) : null}
      <Rights profile={profile} own={own} readOnly={readOnly} />
      {deleting ? (
        <DeleteProfile
          profile={profile.value}
          onClose={() => setDeleting(false)}
          onDeleted={() => void router.navigate({ to: '/profiles' })}
        />
      ) : null}
    </>
  )
}

function Loading() {
  return (
    <SkeletonGroup className="space-y-5">
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-64 w-full" />
    </SkeletonGroup>
  )
}

function Found({ own, profileId }: { own: OwnPermissions; profileId: number }) {
  const { client } = useApplication()
  const t = useText()
  const { data, error, refetch } = useQuery({ ...profileQuery(client, profileId), enabled: profileId > 0 })
  if (profileId === 0 || (error instanceof ApiFailure && error.code === 4)) {
    return (
      <EmptyState
        icon="shield"
        title={t('Profile not found')}
        action={
          <a data-here href="/app/profiles" className={buttonClass()}>
            {t('All profiles')}
          </a>
        }
      >
        {t('This profile may have been deleted.')}
      </EmptyState>
    )
  }
  if (data !== undefined) return <Editor profile={data} own={own} />
  return error === null ? <Loading /> : <LoadFailed error={error} reset={() => void refetch()} />
}

/** One profile: its name, its rights and its users. */
export function ProfileScreen() {
  const { client } = useApplication()
  const t = useText()
  const { profileId: asked } = useParams({ from: '/signed-in/profiles/$profileId' })
  const profileId = /^[0-9]{1,15}$/.test(asked) ? Number(asked) : 0
  const own = useOwnPermissions()
  const mayLook = own.data?.may(getPermissionProfile) === true && profileId > 0
  const { data } = useQuery({ ...profileQuery(client, profileId), enabled: mayLook })
  return (
    <Screen
      width="form"
      title={data?.value.name ?? t('Permission profile')}
      back={{ href: '/app/profiles', label: t('All profiles') }}
    >
      <Gate own={own} needs={getPermissionProfile} loading={<Loading />}>
        {(standing) => <Found own={standing} profileId={profileId} />}
      </Gate>
    </Screen>
  )
}
