import {
  deleteResellerApiKey,
  getResellerApiKeys,
  patchResellerApiKey,
  postResellerApiKey,
  rotateResellerApiKey,
} from '@sightline/contract/api-keys'
import { Button } from '@sightline/kit'
import { accountQueries, Screen, useApplication } from '@sightline/shell'
import { type KeyAct, type KeyCalls, KeyDialogs, KeyTable, UsageExample } from '@sightline/shell/api-keys'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type Dispatch, type SetStateAction, useState } from 'react'
import { useMoment } from '../moments.ts'
import { resellerQuery } from '../resellers/index.ts'
import { Gate, Loaded } from '../shell/Gate.tsx'
import { useOwnStaff } from '../shell/own-staff.ts'
import { useText } from './text.ts'

/** The calls for a reseller's keys. */
function useCalls(resellerId: string): KeyCalls {
  const { client } = useApplication()
  return {
    isStaff: true,
    queryKey: ['resellers', resellerId, 'apiKeys'],
    list: (signal) => client.call(getResellerApiKeys, { params: { resellerId } }, { signal }),
    add: (body) => client.call(postResellerApiKey, { params: { resellerId }, body }),
    change: (apiKeyId, body) => client.call(patchResellerApiKey, { params: { resellerId, apiKeyId }, body }),
    rotate: (apiKeyId, body) => client.call(rotateResellerApiKey, { params: { resellerId, apiKeyId }, body }),
    remove: (apiKeyId) => client.call(deleteResellerApiKey, { params: { resellerId, apiKeyId } }),
  }
}

interface KeysProps {
  resellerId: string
  timeZone: string
  canCreate: boolean
  act: KeyAct | undefined
  onAct: Dispatch<SetStateAction<KeyAct | undefined>>
}

function Keys({ resellerId, timeZone, canCreate, act, onAct }: KeysProps) {
  const { client } = useApplication()
  const t = useText()
  const when = useMoment()
  const calls = useCalls(resellerId)
  const { data: self } = useQuery(accountQueries(client).user)
  return (
    <>
      <KeyTable
        calls={calls}
        label={t('API keys')}
        when={when}
        showsOwner
        canCreate={canCreate}
        canEdit={({ actsAs }) => canCreate && actsAs.userId === self?.userId}
        onAct={onAct}
      />
      <UsageExample
        example={{
          label: t('Send the token with every request, for example to list accounts'),
          path: `resellers/${resellerId}/accounts`,
        }}
      />
      <KeyDialogs calls={calls} act={act} timeZone={timeZone} onAct={onAct} />
    </>
  )
}

/** A reseller's API keys. Each key acts as the staff member who created it. */
export function ApiKeysScreen() {
  const { client } = useApplication()
  const t = useText()
  const own = useOwnStaff()
  const { resellerId } = useParams({ from: '/signed-in/resellers/$resellerId/api-keys' })
  const reseller = useQuery(resellerQuery(client, resellerId))
  const [act, setAct] = useState<KeyAct>()
  const canCreate = own.level === 'reseller' && own.may(postResellerApiKey)
  return (
    <Gate call={getResellerApiKeys}>
      <Screen
        width="table"
        title={t('API keys')}
        description={t(
          canCreate
            ? "API keys let other programs act as you, with your permissions. You can delete your colleagues' keys, but not change them."
            : 'Programs use these keys to sign in for this reseller. Only its own staff can create and change them.',
        )}
        actions={
          canCreate ? (
            <Button icon="plus" onClick={() => setAct({ kind: 'add' })}>
              {t('Create API key')}
            </Button>
          ) : undefined
        }
      >
        <Loaded query={reseller}>
          {({ timeZone }) => (
            <Keys resellerId={resellerId} timeZone={timeZone} canCreate={canCreate} act={act} onAct={setAct} />
          )}
        </Loaded>
      </Screen>
    </Gate>
  )
}
