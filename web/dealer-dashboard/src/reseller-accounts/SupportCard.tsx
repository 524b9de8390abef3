import type { Account } from '@sightline/contract/reseller-accounts'
import { Button, Card, Icon } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { resellerQuery } from '../resellers/index.ts'
import { useOwnStaff } from '../shell/own-staff.ts'
import { useText } from '../text.ts'
import { useGrantText } from './account-marks.tsx'
import { type AccountIds, accountQueries } from './account-queries.ts'
import { useOpenAsSupport } from './open-as-support.ts'
import { type Precondition, supportPreconditions, videoText } from './support-preconditions.ts'

/** Undefined until the reseller is known. */
export function useSupportPreconditions(
  account: Account,
  { resellerId }: AccountIds,
): readonly Precondition[] | undefined {
  const { client } = useApplication()
  const own = useOwnStaff()
  const { data: reseller } = useQuery(resellerQuery(client, resellerId))
  if (reseller === undefined) return undefined
  const mayGenerate = own.holds('generateAccessToken')
  return supportPreconditions({ account, modules: reseller.modules, mayGenerate, now: Date.now() })
}

function GroundLine({ what, holds }: Precondition) {
  const t = useText()
  return (
    <li className="flex items-start gap-2.5">
      <Icon name={holds ? 'success' : 'block'} size={18} className={holds ? 'text-success-text' : 'text-danger-text'} />
      <span>
        {t(what)}
        {holds ? null : <span className="font-medium text-danger-text"> – {t('not met')}</span>}
      </span>
    </li>
  )
}

/** Whether the owner allows support, the other preconditions, and a button to start. */
export function SupportCard({ account, place }: { account: Account; place: AccountIds }) {
  const { client } = useApplication()
  const t = useText()
  const grantText = useGrantText()
  const { open, busy } = useOpenAsSupport(place)
  const users = useQuery(accountQueries(client, place).users)
  const ground = useSupportPreconditions(account, place)
  const isOpen = ground?.every(({ holds }) => holds) === true
  const video = videoText(account, Date.now())
  const owner = users.data?.find(({ isOwner }) => isOwner)
  return (
    <Card
      title={t('Support access')}
      description={t('The owner sees who is in the account and what they do, and can end the session at any time.')}
      footer={
        isOpen && owner !== undefined ? (
          <Button icon="key" busy={busy} onClick={() => void open(owner.userId)}>
            {t('Start support session')}
          </Button>
        ) : undefined
      }
    >
      <div role="status" className="mb-4">
        <p className="font-medium">{grantText(account)}</p>
        {video === undefined ? null : <p className="text-muted">{t(video)}</p>}
      </div>
      <ul aria-label={t('Requirements')} className="space-y-1.5">
        {ground?.map((line) => (
          <GroundLine key={line.what} {...line} />
        ))}
      </ul>
    </Card>
  )
}
