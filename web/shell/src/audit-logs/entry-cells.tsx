// Parts of an audit log entry, for its row and its details.
import { Badge, Icon } from '@sightline/kit'
import { fieldWords } from '../audit-difference.ts'
import { actionLabel } from './action-labels.ts'
import type { LogEntry, LogKind } from './audit-source.ts'
import { useText } from './text.ts'

interface EntryProps {
  line: LogEntry
  kind: LogKind
}

/** The person who acted, with a badge for programs, for support, and in an account's log for dealers. */
export function Who({ line, kind }: EntryProps) {
  const t = useText()
  const name = line.staff?.name ?? line.user
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      {name ?? <span className="text-muted">{t('Unknown')}</span>}
      {line.staff === null || (kind === 'dealer' && !line.supportSession) ? null : (
        <Badge mood="warning" icon="help">
          {t(line.supportSession ? 'Support' : 'Provider')}
        </Badge>
      )}
      {line.apiKeyId === null ? null : <Badge icon="key">{t('API key')}</Badge>}
    </span>
  )
}

/** The action as a label; without one, the name of the call. */
export function Action({ action, kind }: { action: string; kind: LogKind }) {
  const t = useText()
  const words = actionLabel(action, kind)
  return words === undefined ? <code className="text-xs">{action}</code> : t(words)
}

/** The target by its current name. */
export const targetName = ({ camera, target }: LogEntry): string => camera ?? target?.name ?? ''

/** The target by its current name; without one, its kind and number. */
export function Target({ line, kind }: EntryProps) {
  const t = useText()
  const name = targetName(line)
  if (name !== '' || line.target === null) return name
  // Staff who sign in or change their password.
  if (kind === 'dealer' && line.target.id === line.userId && line.user !== null) return line.user
  return `${t.message(fieldWords(line.target.kind))} ${line.target.id}`
}

/** Whether any later change of the entry would be detected. */
export function SignatureState({ line }: { line: LogEntry }) {
  const t = useText()
  if (!line.sealed) return <span className="text-muted">{t('Not yet')}</span>
  return (
    <span className="inline-flex items-center gap-1.5">
      <Icon name="lock" size={16} className="text-success-text print:hidden" />
      <span className="tabular-nums">{t('No. {number}', { number: line.sequence ?? 0 })}</span>
    </span>
  )
}
