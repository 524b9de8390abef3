// Parts of an audit log entry, for its row and its details.
import type { AuditLog } from '@sightline/contract/audit-logs'
import { Badge, Icon } from '@sightline/kit'
import { actionLabel } from './action-labels.ts'
import { useText } from './text.ts'

/** The person who acted, with a badge for support, dealers and programs. */
export function Who({ line }: { line: AuditLog }) {
  const t = useText()
  const name = line.staff?.name ?? line.user
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      {name ?? <span className="text-muted">{t('Unknown')}</span>}
      {line.staff === null ? null : (
        <Badge mood="warning" icon="help">
          {t(line.supportSession ? 'Support' : 'Provider')}
        </Badge>
      )}
      {line.apiKeyId === null ? null : <Badge icon="key">{t('API key')}</Badge>}
    </span>
  )
}

/** The action as a label; without one, the name of the call. */
export function Action({ action }: { action: string }) {
  const t = useText()
  const words = actionLabel(action)
  return words === undefined ? <code className="text-xs">{action}</code> : t(words)
}

/** The target by its current name. */
export const targetName = ({ camera, target }: AuditLog): string => camera ?? target?.name ?? ''

/** Whether any later change of the entry would be detected. */
export function SignatureState({ line }: { line: AuditLog }) {
  const t = useText()
  if (!line.sealed) return <span className="text-muted">{t('Not yet')}</span>
  return (
    <span className="inline-flex items-center gap-1.5">
      <Icon name="lock" size={16} className="text-success-text print:hidden" />
      <span className="tabular-nums">{t('No. {number}', { number: line.sequence ?? 0 })}</span>
    </span>
  )
}
