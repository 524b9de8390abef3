import { Button } from '@sightline/kit'
import { useAllTexts, useTranslation } from '@sightline/shell'
import { allowStatistics } from './consent.ts'
import type english from './locales/en.json'

/**
 * The consent question in the cookie notice, which `onAnswer` closes. Both buttons have equal weight, and closing the
 * notice means no.
 */
export function StatisticsQuestion({ onAnswer }: { onAnswer: () => void }) {
  const t = useTranslation<keyof typeof english>()
  const hasWords = useAllTexts()
  const answer = (allowed: boolean) => {
    allowStatistics(allowed)
    onAnswer()
  }
  if (!hasWords) return null
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
      <span>{t('If you agree, we also count visits to these pages.')}</span>
      <span className="flex flex-wrap gap-2">
        <Button variant="secondary" onClick={() => answer(false)}>
          {t('Necessary cookies only')}
        </Button>
        <Button variant="secondary" onClick={() => answer(true)}>
          {t('Allow statistics')}
        </Button>
      </span>
    </div>
  )
}
