import {
  addPermissionProfile,
  deletePermissionProfile,
  getPermissionProfiles,
  type PermissionProfile,
  patchPermissionProfile,
  profileNameProblem,
} from '@sightline/contract/permission-profiles'
import { allRights, mandatoryRights } from '@sightline/contract/rights'
import {
  Badge,
  Button,
  EmptyState,
  FormDialog,
  type MenuItem,
  Select,
  Skeleton,
  SkeletonGroup,
  TextField,
  useForm,
} from '@sightline/kit'
import { type Column, DataTable, useRowsInHand, useRowsPerPage } from '@sightline/kit/table'
import { LoadFailed, Screen, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { Gate, type OwnPermissions, ReadOnly, useOwnPermissions, useReadOnlyReason } from '../rights/index.ts'
import { DeleteProfile } from './DeleteProfile.tsx'
import { profilesQuery } from './profile-queries.ts'
import { useText } from './text.ts'

const rightsOn = ({ rights }: PermissionProfile): number => allRights.filter((right) => rights[right]).length

function useColumns(): readonly Column<PermissionProfile>[] {
  const t = useText()
  return [
    {
      key: 'name',
      header: t('Name'),
      sortBy: (profile) => profile.name,
      cell: (profile) => (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {profile.name}
          {profile.builtin ? <Badge icon="lock">{t('Built-in')}</Badge> : null}
        </span>
      ),
    },
    {
      key: 'rights',
      header: t('Rights'),
      sortBy: rightsOn,
      align: 'end',
      width: '11rem',
      cell: (profile) => t('{count} of {total}', { count: rightsOn(profile), total: allRights.length }),
    },
    {
      key: 'users',
      header: t('Users'),
      sortBy: (profile) => profile.users,
      align: 'end',
      width: '9rem',
      cell: (profile) => profile.users,
    },
  ]
}

interface AddProfileProps {
  profiles: readonly PermissionProfile[]
  /** Id of the profile to start with, as text. */
  from: string
  onClose: () => void
}

const nothingTyped = { name: '' }
const rules = { name: profileNameProblem }

/** A new profile, optionally with the rights of another one. */
function AddProfile({ profiles, from, onClose }: AddProfileProps) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const router = useRouter()
  const [source, setSource] = useState(from)
  const form = useForm(nothingTyped, rules, t.message)
  const add = async ({ name }: { name: string }) => {
    const copied = profiles.find(({ permissionProfileId }) => String(permissionProfileId) === source)
    const on = allRights.filter((right) => copied?.rights[right] === true && !mandatoryRights.includes(right))
    const body = { name, rights: Object.fromEntries(on.map((right) => [right, true])) }
    const outcome = await save(() => client.call(addPermissionProfile, { body }), {
      success: t('Profile {profile} added', { profile: name }),
      form: { fields: ['name'], fieldOfCode: { 5: 'name' }, refuse: form.refuse },
    })
    if (!('saved' in outcome)) return
    void queries.invalidateQueries({ queryKey: ['permissionProfiles'] })
    onClose()
    void router.navigate({ to: `/profiles/${outcome.saved.permissionProfileId}` })
  }
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('Add profile')}
      submit={t('Add profile')}
      changed={form.changed}
      valid={form.valid}
      busy={form.busy}
      onSubmit={form.submit(add)}
    >
      <TextField label={t('Name')} required maxLength={64} autoComplete="off" {...form.field('name')} />
      <Select label={t('Copy rights from')} value={source} onChange={(event) => setSource(event.target.value)}>
        <option value="">{t('No extra rights')}</option>
        {profiles.map(({ permissionProfileId, name }) => (
          <option key={permissionProfileId} value={permissionProfileId}>
            {name}
          </option>
        ))}
      </Select>
    </FormDialog>
  )
}

function LoadingList() {
  return (
    <SkeletonGroup>
      <Skeleton className="h-64 w-full" />
    </SkeletonGroup>
  )
}

interface ProfilesProps {
  own: OwnPermissions
  /** Opens the form for a new profile. The value is the id of the one to copy, as text. */
  onAdd: (from: string) => void
}

function Profiles({ own, onAdd }: ProfilesProps) {
  const { client } = useApplication()
  const t = useText()
  const router = useRouter()
  const { data: profiles, error, refetch } = useQuery(profilesQuery(client))
  const [deleting, setDeleting] = useState<PermissionProfile>()
  const columns = useColumns()
  const [rowsPerPage, onRowsPerPage] = useRowsPerPage('profiles')
  const view = useRowsInHand({ rows: profiles, columns, rowsPerPage, onRowsPerPage })
  const rowMenu = (profile: PermissionProfile): readonly MenuItem[] => {
    const id = profile.permissionProfileId
    const copy: MenuItem = { label: t('Copy'), icon: 'copy', onSelect: () => onAdd(String(id)) }
    const remove: MenuItem = { label: t('Delete'), icon: 'trash', danger: true, onSelect: () => setDeleting(profile) }
    return [
      { label: t('Open'), icon: 'shield', onSelect: () => void router.navigate({ to: `/profiles/${id}` }) },
      ...(own.may(addPermissionProfile) ? [copy] : []),
      ...(own.may(deletePermissionProfile) && !profile.builtin ? [remove] : []),
    ]
  }
  return (
    <>
      <DataTable
        label={t('Permission profiles')}
        columns={columns}
        view={view}
        rowKey={(profile) => profile.permissionProfileId}
        rowName={(profile) => profile.name}
        rowHref={(profile) => `/app/profiles/${profile.permissionProfileId}`}
        rowMenu={rowMenu}
        searchLabel={t('Search profiles')}
        empty={<EmptyState icon="shield" title={t('No profiles yet')} />}
        failed={
          error === null || profiles !== undefined ? undefined : (
            <LoadFailed error={error} reset={() => void refetch()} />
          )
        }
      />
      {deleting === undefined ? null : <DeleteProfile profile={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  )
}

/** Named sets of rights. */
export function ProfilesScreen() {
  const { client } = useApplication()
  const t = useText()
  const own = useOwnPermissions()
  const [adding, setAdding] = useState<string>()
  const mayLook = own.data?.may(getPermissionProfiles) === true
  const { data: profiles } = useQuery({ ...profilesQuery(client), enabled: mayLook })
  const readOnly = useProfilesReadOnly(own.data)
  return (
    <Screen
      width="table"
      title={t('Permission profiles')}
      description={t('A profile is a set of rights that you can give to several users.')}
      actions={
        own.data?.may(addPermissionProfile) === true ? (
          <Button icon="plus" onClick={() => setAdding('')}>
            {t('Add profile')}
          </Button>
        ) : null
      }
    >
      <Gate own={own} needs={getPermissionProfiles} loading={<LoadingList />}>
        {(standing) => (
          <>
            <ReadOnly id="profiles-read-only">{readOnly}</ReadOnly>
            <Profiles own={standing} onAdd={setAdding} />
            {adding === undefined ? null : (
              <AddProfile profiles={profiles ?? []} from={adding} onClose={() => setAdding(undefined)} />
            )}
          </>
        )}
      </Gate>
    </Screen>
  )
}

/** Why the user can't change profiles; undefined if they can. */
export function useProfilesReadOnly(own: OwnPermissions | undefined): string | undefined {
  const t = useText()
  const standstill = useReadOnlyReason(own)
  if (own === undefined || standstill !== undefined) return standstill
  return own.may(patchPermissionProfile) ? undefined : t('Only the account owner can change profiles.')
}
