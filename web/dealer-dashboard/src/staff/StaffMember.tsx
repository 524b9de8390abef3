import { allPermissions, type Permission } from '@sightline/contract/rights'
import type { StaffUser } from '@sightline/contract/staff'
import { Badge, Button, Card, ConfirmDialog, Details, Notice, SettingSwitch, SwitchGroup } from '@sightline/kit'
import { accountQueries, Screen, useApplication, useOptimistic, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { Gate, Loaded } from '../shell/Gate.tsx'
import { isNotFound, NothingHere } from '../shell/NothingHere.tsx'
import { type StaffPermissions, useOwnStaff } from '../shell/own-staff.ts'
import { type Text, useText } from '../text.ts'
import { AccountChoice } from './AccountChoice.tsx'
import { staffName } from './StaffList.tsx'
import { type StaffOrganisation, staffCalls } from './staff-calls.ts'

const permissionTexts: Readonly<Record<Permission, { readonly label: Text; readonly about: Text }>> = {
  viewAccounts: { label: 'View accounts', about: 'View accounts, their users and subscriptions.' },
  addAccount: { label: 'Add accounts', about: 'Add customer accounts and invite their owners.' },
  editAccount: { label: 'Edit accounts', about: 'Contact details, status, limits and self-service options.' },
  deleteAccount: {
    label: 'Delete accounts',
    about: 'Delete accounts and everything in them, once they have no cameras or devices.',
  },
  editAccountUsers: {
    label: 'Edit account users',
    about: 'Name, email address, phone number and language, but not the password or rights.',
  },
  manageSubscriptions: {
    label: 'Manage subscriptions',
    about: "Choose, renew and end an account's subscription.",
  },
  generateAccessToken: { label: 'Start support sessions', about: 'Only while the account owner allows it.' },
  manageUsers: {
    label: 'Manage staff',
    about: 'Add, edit and delete staff, and grant any of their own permissions to others.',
  },
  manageApiKeys: { label: 'Manage API keys', about: 'Keys that let other programs act for the organization.' },
  viewAuditLogs: { label: 'View audit log', about: 'What staff did and when.' },
  viewInsights: { label: 'View insights', about: 'Statistics on accounts, cameras and users.' },
  whiteLabel: { label: 'Edit brand', about: 'Logo, colors and links. Requires the Custom branding module.' },
}

interface MemberProps {
  of: StaffOrganisation
  person: StaffUser
}

/** Why the user can't change this person; undefined if they can. */
function guardText(own: StaffPermissions, ownId: number | undefined, person: StaffUser): Text | undefined {
  if (ownId === person.userId) return "You can't change your own permissions. Ask someone else who manages staff."
  const mayMore = allPermissions.some((permission) => person.permissions[permission] && !own.holds(permission))
  return mayMore ? "You can't make changes here because this person has permissions you don't have." : undefined
}

function PermissionSwitches({ of, person, fixed }: MemberProps & { fixed: boolean }) {
  const { client } = useApplication()
  const t = useText()
  const own = useOwnStaff()
  const calls = staffCalls(client, of)
  const { change, pending } = useOptimistic<StaffUser, Partial<StaffUser['permissions']>>({
    queryKey: [...calls.key, String(person.userId)],
    apply: (state, permissions) => ({ ...state, permissions: { ...state.permissions, ...permissions } }),
    send: (permissions) => calls.patch(person.userId, { permissions }),
  })
  const reasonOf = (permission: Permission) => {
    if (fixed) return { fixedBy: 'staff-guard' }
    return own.holds(permission) ? {} : { fixed: t("You can't grant a permission you don't have.") }
  }
  return (
    <SwitchGroup
      title={t('Permissions')}
      on={allPermissions.filter((permission) => person.permissions[permission]).length}
      of={allPermissions.length}
    >
      {allPermissions.map((permission) => (
        <SettingSwitch
          key={permission}
          label={t(permissionTexts[permission].label)}
          description={t(permissionTexts[permission].about)}
          checked={person.permissions[permission]}
          pending={pending.some((one) => one[permission] !== undefined)}
          onChange={(on) => change({ [permission]: on })}
          {...reasonOf(permission)}
        />
      ))}
    </SwitchGroup>
  )
}

type Asked = 'block' | 'unblock' | 'delete'
const labels = { block: 'Block', unblock: 'Unblock', delete: 'Delete' } as const
const questions = { block: 'Block {name}?', unblock: 'Unblock {name}?', delete: 'Delete {name}?' } as const
const meanings = {
  block: 'Blocking signs them out immediately and keeps them from signing in.',
  unblock: 'Unblocking lets them sign in again.',
  delete: "They're signed out immediately and permanently deleted. What they did stays in the audit log.",
} as const
const successes = {
  block: '{name} blocked',
  unblock: '{name} unblocked',
  delete: '{name} deleted',
} as const

/** Blocks a person temporarily or permanently. */
function Leaving({ of, person }: MemberProps) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const router = useRouter()
  const [asked, ask] = useState<Asked>()
  const [busy, setBusy] = useState(false)
  const calls = staffCalls(client, of)
  const name = staffName(person)
  const go = async (what: Asked) => {
    setBusy(true)
    const work = () =>
      what === 'delete' ? calls.remove(person.userId) : calls.patch(person.userId, { blocked: what === 'block' })
    const outcome = await save<unknown>(work, { success: t(successes[what], { name }) })
    setBusy(false)
    ask(undefined)
    if (!('saved' in outcome)) return
    if (what === 'delete') {
      // The list must not show the person again, not even before it has reloaded.
      queries.removeQueries({ queryKey: [...calls.key, 'list'] })
      await router.navigate({ to: calls.home })
      return
    }
    void queries.invalidateQueries({ queryKey: calls.key })
  }
  const blocking = person.blocked ? 'unblock' : 'block'
  return (
    <Card title={t('Access')} description={t(meanings[blocking])}>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={() => ask(blocking)}>
          {t(labels[blocking])}
        </Button>
        <Button variant="danger" icon="trash" onClick={() => ask('delete')}>
          {t('Delete')}
        </Button>
      </div>
      {asked === undefined ? null : (
        <ConfirmDialog
          open
          title={t(questions[asked], { name })}
          confirm={t(labels[asked])}
          danger={asked !== 'unblock'}
          busy={busy}
          onClose={() => ask(undefined)}
          onConfirm={() => void go(asked)}
        >
          {t(meanings[asked])}
        </ConfirmDialog>
      )}
    </Card>
  )
}

function Member({ of, person }: MemberProps) {
  const { client, languages } = useApplication()
  const t = useText()
  const own = useOwnStaff()
  const { data: me } = useQuery(accountQueries(client).user)
  const guard = guardText(own, me?.userId, person)
  const language = languages.choices.find(({ code }) => code === person.language)?.name
  return (
    <div className="space-y-6">
      {guard === undefined ? null : (
        <div id="staff-guard">
          <Notice>{t(guard)}</Notice>
        </div>
      )}
      <Card title={t('Details')} {...(person.blocked ? { aside: <Badge mood="danger">{t('Blocked')}</Badge> } : {})}>
        <Details
          details={[
            { label: t('Email address'), value: <bdi dir="ltr">{person.email}</bdi> },
            { label: t('Phone number'), value: <bdi dir="ltr">{person.phone ?? '–'}</bdi> },
            { label: t('Language'), value: language ?? person.language },
            { label: t('Two-factor authentication'), value: t(person.mfaEnabled ? 'On' : 'Off') },
          ]}
        />
      </Card>
      <PermissionSwitches of={of} person={person} fixed={guard !== undefined} />
      {of.kind === 'reseller' ? <AccountChoice of={of} person={person} fixed={guard !== undefined} /> : null}
      {guard === undefined ? <Leaving of={of} person={person} /> : null}
    </div>
  )
}

/** The permissions of a staff member, and the accounts that they may manage. */
export function StaffMember({ of, userId }: { of: StaffOrganisation; userId: string }) {
  const { client } = useApplication()
  const t = useText()
  const calls = staffCalls(client, of)
  const person = useQuery({
    queryKey: [...calls.key, userId],
    queryFn: ({ signal }) => calls.get(userId, signal),
    staleTime: 5000,
  })
  const back = { href: `/dealer${calls.home}`, label: t('All staff') }
  return (
    <Gate call={calls.shownBy}>
      {isNotFound(person.error) ? (
        <NothingHere title={t("Staff member not found, or you don't have access to them")} back={back} />
      ) : (
        <Screen width="form" title={person.data === undefined ? t('Staff') : staffName(person.data)} back={back}>
          <Loaded query={person}>{(data) => <Member of={of} person={data} />}</Loaded>
        </Screen>
      )}
    </Gate>
  )
}
