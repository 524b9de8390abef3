import { Card, Notice, SettingSwitch } from '@sightline/kit'
import { useTranslation } from '@sightline/shell'
import { useSyncExternalStore } from 'react'
import { allowStatistics, allowsStatistics, whenAnswered } from './consent.ts'
import type english from './locales/en.json'
import { outlivesConsent } from './tag-manager.ts'

/** What statistics are, and the choice, which can be changed at any time. */
export function StatisticsCard() {
  const t = useTranslation<keyof typeof english>()
  const isAllowed = useSyncExternalStore(whenAnswered, allowsStatistics)
  return (
    <Card title={t('Statistics')}>
      <SettingSwitch
        label={t('Allow statistics')}
        description={t(
          'This site counts visits with a tag manager, a program of others. It sets cookies of its own, on the pages of your account only, and nothing of it is loaded before you allow it.',
        )}
        checked={isAllowed}
        onChange={allowStatistics}
      />
      <div role="status">
        {outlivesConsent() ? (
          <Notice>
            {t('It stops with the next page you open. Cookies that it set can be deleted in your browser.')}
          </Notice>
        ) : null}
      </div>
    </Card>
  )
}
