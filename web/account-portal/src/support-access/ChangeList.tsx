import type { AuditLog } from '@sightline/contract/audit-logs'
import { differences, valueWords } from '@sightline/shell/audit-difference'
import { fieldText } from './field-texts.ts'
import { useMoment } from './moments.ts'
import { useSupportText } from './text.ts'

/** The audit log has the rest. */
const MAX_CHANGES = 5

/** The values before and after a change; nothing for entries that only added, removed or viewed something. */
export function ChangeList({ line }: { line: AuditLog }) {
  const t = useSupportText()
  const moment = useMoment()
  if ((line.before ?? null) === null || (line.after ?? null) === null) return null
  const changes = differences(line.before, line.after)
  if (changes.length === 0) return null
  const words = { yes: t('Yes'), no: t('No'), nothing: '–', when: (time: Date) => moment(time.getTime()) }
  const hidden = changes.length - MAX_CHANGES
  return (
    <ul className="mt-1">
      {changes.slice(0, MAX_CHANGES).map(({ field, before, after }) => (
        <li key={field}>
          {t('{field}: {before} → {after}', {
            field: fieldText(field, t),
            before: valueWords(before, words),
            after: valueWords(after, words),
          })}
        </li>
      ))}
      {hidden > 0 ? <li className="text-muted">{t('{count} more changes', { count: hidden })}</li> : null}
    </ul>
  )
}
