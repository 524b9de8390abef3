import type { Passkey, Passkeys } from '@sightline/contract/passkeys'
import { Icon, IconButton } from '@sightline/kit'
import { useMoment } from '../support-access/index.ts'
import { usePasskeyText } from './text.ts'

interface PasskeyListProps {
  state: Passkeys
  /** Undefined if the list is read-only. */
  onRename: ((one: Passkey) => void) | undefined
  onRemove: ((one: Passkey) => void) | undefined
}

/** The passkeys with the details that distinguish them. */
export function PasskeyList({ state, onRename, onRemove }: PasskeyListProps) {
  const t = usePasskeyText()
  const moment = useMoment()
  return (
    <ul className="divide-y divide-border">
      {state.passkeys.map((one) => (
        <li key={one.passkeyId} className="flex items-start gap-3 py-3 first:pt-0 last:pb-0">
          <Icon name="key" size={20} className="mt-0.5 text-muted" />
          <div className="min-w-0 flex-1">
            <p className="font-medium wrap-anywhere">{one.name}</p>
            <p className="text-muted">
              {t('Added {when}.', { when: moment(one.createdAt) })}{' '}
              {one.lastUsedAt === null ? t('Never used.') : t('Last used {when}.', { when: moment(one.lastUsedAt) })}
            </p>
            {one.host === state.host ? null : (
              <p className="text-muted wrap-anywhere">{t('Works only at {host}.', { host: one.host })}</p>
            )}
          </div>
          {onRename === undefined || onRemove === undefined ? null : (
            <div className="-my-1.5 -me-2 flex">
              <IconButton icon="edit" label={`${t('Rename')}: ${one.name}`} onClick={() => onRename(one)} />
              <IconButton icon="trash" label={`${t('Remove')}: ${one.name}`} onClick={() => onRemove(one)} />
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}
