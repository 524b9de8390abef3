import type { TaggedReply } from '@sightline/client'
import type { PermissionProfile } from '@sightline/contract/permission-profiles'
import { allRights, mandatoryRights, type Right, type UserRights } from '@sightline/contract/rights'
import { patchPersonRights, type RightsPatch } from '@sightline/contract/sub-users'
import { Button, Card, ConfirmDialog, Select } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { profilesQuery } from '../permission-profiles/index.ts'
import { CHANGED_MEANWHILE, ifMatch } from '../right-switches/index.ts'
import { type OwnPermissions, useRightWords } from '../rights/index.ts'
import { assignableRights } from './assignable-rights.ts'
import { personQueries, refetchUser } from './people-queries.ts'
import { displayName, wrapping } from './person-marks.tsx'
import type { Pair } from './person-page.tsx'
import { useText } from './text.ts'

/** The requested rights: all of the current user's, or a profile (null removes the profile and keeps the rights). */
type Asked = { readonly kind: 'all' } | { readonly kind: 'profile'; readonly profile: PermissionProfile | null }

const patchOf = (asked: Asked): RightsPatch =>
  asked.kind === 'all'
    ? { grantAll: true }
    : { permissionProfileId: asked.profile === null ? null : asked.profile.permissionProfileId }

interface Difference {
  readonly added: readonly Right[]
  readonly taken: readonly Right[]
}

/** The rights that would be granted and removed. */
function differenceOf(rights: UserRights, asked: Asked, own: OwnPermissions): Difference {
  const then = (right: Right): boolean => {
    if (mandatoryRights.includes(right)) return true
    if (asked.kind === 'profile') return asked.profile === null ? rights[right] : asked.profile.rights[right]
    return rights[right] || (right !== 'demoUser' && (own.isOwner || own.rights.has(right)))
  }
  return {
    added: allRights.filter((right) => then(right) && !rights[right]),
    taken: allRights.filter((right) => !then(right) && rights[right]),
  }
}

interface WholeSetsProps {
  pair: Pair
  rights: TaggedReply<UserRights>
  readOnly: boolean
}

/** The number of granted rights, their profile, and actions for all at once. */
export function BulkRights({ pair, rights, readOnly }: WholeSetsProps) {
  const { person, own } = pair
  const { client } = useApplication()
  const t = useText()
  const [asked, ask] = useState<Asked>()
  const { data: profiles = [] } = useQuery(profilesQuery(client))
  const on = allRights.filter((right) => rights.value[right]).length
  const everything = differenceOf(rights.value, { kind: 'all' }, own).added.length === 0
  return (
    <Card
      className="mb-5"
      title={t('{count} of {total} rights are on', { count: on, total: allRights.length })}
      description={readOnly ? undefined : t('Changes are saved and take effect immediately.')}
    >
      <div className="flex flex-wrap items-end gap-4">
        {person.isSuperUser ? null : (
          <div className="min-w-0 grow basis-60">
            <Select
              label={t('Permission profile')}
              hint={t('Rights follow the profile until you change one of them.')}
              disabled={readOnly}
              value={person.permissionProfileId ?? ''}
              onChange={(event) => {
                const id = Number(event.target.value)
                const profile = profiles.find(({ permissionProfileId }) => permissionProfileId === id) ?? null
                ask({ kind: 'profile', profile })
              }}
            >
              <option value="">{t('Custom')}</option>
              {profiles.map((profile) => (
                <option
                  key={profile.permissionProfileId}
                  value={profile.permissionProfileId}
                  disabled={!assignableRights(profile, own)}
                >
                  {profile.name}
                </option>
              ))}
            </Select>
          </div>
        )}
        {readOnly ? null : (
          <div className="min-w-0 sm:pb-5.5">
            <Button variant="secondary" className={wrapping} disabled={everything} onClick={() => ask({ kind: 'all' })}>
              {t('Grant all rights to this user')}
            </Button>
          </div>
        )}
      </div>
      {asked === undefined ? null : (
        <AskForSet pair={pair} rights={rights} asked={asked} onClose={() => ask(undefined)} />
      )}
    </Card>
  )
}

interface AskForSetProps {
  pair: Pair
  rights: TaggedReply<UserRights>
  asked: Asked
  onClose: () => void
}

/** Lists the rights that are added and removed before a bulk change. */
function AskForSet({ pair: { person, own }, rights, asked, onClose }: AskForSetProps) {
  const { client, queries } = useApplication()
  const t = useText()
  const words = useRightWords()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const { userId } = person
  const { added, taken } = differenceOf(rights.value, asked, own)
  const list = (some: readonly Right[]) => some.map(words.name).join(', ')
  const give = async () => {
    setBusy(true)
    const call = { params: { userId }, body: patchOf(asked) }
    const outcome = await save(() => client.tagged(patchPersonRights, call, { headers: ifMatch(rights) }), {
      success: t('Rights for {name} saved', { name: displayName(person) }),
      messages: { 6: CHANGED_MEANWHILE },
    })
    const { queryKey } = personQueries(client, userId).rights
    if ('saved' in outcome) queries.setQueryData(queryKey, outcome.saved)
    else void queries.invalidateQueries({ queryKey })
    refetchUser(queries, userId)
    onClose()
  }
  const profile = asked.kind === 'profile' ? asked.profile : null
  return (
    <ConfirmDialog
      open
      title={
        profile === null
          ? t(asked.kind === 'all' ? 'Grant all rights to this user' : 'Remove permission profile?')
          : t('Apply profile {profile}?', { profile: profile.name })
      }
      confirm={t('Change rights')}
      busy={busy}
      onClose={onClose}
      onConfirm={() => void give()}
    >
      <div className="space-y-3">
        {added.length === 0 ? null : <p>{t('Turns on: {rights}', { rights: list(added) })}</p>}
        {taken.length === 0 ? null : (
          <p className="text-danger-text">{t('Turns off: {rights}', { rights: list(taken) })}</p>
        )}
        {added.length + taken.length > 0 ? null : <p>{t('The user keeps the same rights.')}</p>}
      </div>
    </ConfirmDialog>
  )
}
