import { deleteApiKey, getApiKeys, patchApiKey, postApiKey, rotateApiKey } from '@sightline/contract/api-keys'
import { Button, EmptyState, Skeleton, SkeletonGroup } from '@sightline/kit'
import { accountQueries, LoadFailed, Screen, useApplication } from '@sightline/shell'
import { type KeyAct, type KeyCalls, KeyDialogs, KeyTable, UsageExample } from '@sightline/shell/api-keys'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { browserLocale } from '../locale.ts'
import { type OwnPermissions, useOwnPermissions } from '../rights/index.ts'
import { useText } from './text.ts'

/** The calls about the keys of the account. */
function useCalls(): KeyCalls {
  const { client } = useApplication()
  return {
    isStaff: false,
    queryKey: ['apiKeys'],
    list: (signal) => client.call(getApiKeys, {}, { signal }),
    add: (body) => client.call(postApiKey, { body }),
    change: (apiKeyId, body) => client.call(patchApiKey, { params: { apiKeyId }, body }),
    rotate: (apiKeyId, body) => client.call(rotateApiKey, { params: { apiKeyId }, body }),
    remove: (apiKeyId) => client.call(deleteApiKey, { params: { apiKeyId } }),
  }
}

const useTimeZone = (): string => {
  const { client } = useApplication()
  return useQuery(accountQueries(client).timeZone).data?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Writes moments as clocks of the account show them. */
function useWhen(timeZone: string): (time: string) => string {
  const { languages } = useApplication()
  const locale = browserLocale(languages.current())
  const format = useMemo(
    () => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }),
    [locale, timeZone],
  )
  return useCallback((time) => format.format(new Date(time)), [format])
}

function NotForYou({ own }: { own: OwnPermissions }) {
  const t = useText()
  return (
    <EmptyState icon="lock" title={t('Only the account owner can manage API keys')}>
      {own.standstill === 'support'
        ? t("You can't view or change API keys during a support session.")
        : t('If a program needs an API key, ask the account owner to create one.')}
    </EmptyState>
  )
}

/** The API keys of the account, for its owner only. */
export function ApiKeysScreen() {
  const t = useText()
  const timeZone = useTimeZone()
  const own = useOwnPermissions()
  const calls = useCalls()
  const when = useWhen(timeZone)
  const [act, onAct] = useState<KeyAct>()
  const isOwn = own.data?.may(getApiKeys) === true
  return (
    <Screen
      width="table"
      title={t('API keys')}
      description={t('API keys let other programs act as you, with your rights.')}
      actions={
        isOwn ? (
          <Button icon="plus" onClick={() => onAct({ kind: 'add' })}>
            {t('Create API key')}
          </Button>
        ) : undefined
      }
    >
      {isOwn ? (
        <>
          <KeyTable
            calls={calls}
            label={t('API keys')}
            when={when}
            showsOwner={false}
            canCreate
            canEdit={() => true}
            onAct={onAct}
          />
          <UsageExample
            example={{ label: t('Send the token with every request, for example to list cameras'), path: 'cameras' }}
          />
          <KeyDialogs calls={calls} act={act} timeZone={timeZone} onAct={onAct} />
        </>
      ) : (
        <Standing own={own} />
      )}
    </Screen>
  )
}

function Standing({ own }: { own: ReturnType<typeof useOwnPermissions> }) {
  if (own.data !== undefined) return <NotForYou own={own.data} />
  if (own.error !== null) return <LoadFailed error={own.error} reset={() => void own.refetch()} />
  return (
    <SkeletonGroup>
      <Skeleton className="h-64 w-full" />
    </SkeletonGroup>
  )
}
