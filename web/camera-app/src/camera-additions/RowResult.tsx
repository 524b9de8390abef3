import { Badge } from '@sightline/kit'
import { failureReasons } from './failure-reasons.ts'
import { type Text, useText } from './text.ts'
import type { RowState } from './use-several-additions.ts'

const refusals: Readonly<Record<number, Text>> = {
  5: 'This camera has already been added to your account.',
  6: 'There are not enough camera slots in your subscription. Please contact your reseller.',
  8: 'This camera was removed less than two minutes ago. Wait two minutes, then add it again.',
}

/** How the addition of one of several cameras goes. */
export function RowResult({ state }: { state: RowState }) {
  const t = useText()
  switch (state.kind) {
    case 'running':
      return <Badge icon="refresh">{t('Adding')}</Badge>
    case 'added':
      return <Badge mood="success">{t('Added')}</Badge>
    case 'failed':
      return <Problem text={t(failureReasons[state.subStatus])} />
    default: {
      const refusal = refusals[state.code]
      return <Problem text={refusal === undefined ? t.message(state.detail) : t(refusal)} />
    }
  }
}

function Problem({ text }: { text: string }) {
  const t = useText()
  return (
    <span className="block space-y-1">
      <Badge mood="danger">{t('Not added')}</Badge>
      <span className="block text-xs text-danger-text">{text}</span>
    </span>
  )
}
