import { Card, Notice, SettingSwitch } from '@sightline/kit'
import { useTranslation } from '@sightline/shell'
import { useSyncExternalStore } from 'react'
import { allowStatistics, allowsStatistics, whenAnswered } from './consent.ts'
import type english from './locales/en.json'
import { outlivesConsent } from './tag-manager.ts'

/** What statistics are, and the choice, which the user can change at any time. */
export function StatisticsCard() {
  const t = useTranslation<keyof typeof english>()
  const isAllowed = useSyncExternalStore(whenAnswered, allowsStatistics)
  return (
    <Card title={t('Statistics')}>
      <SettingSwitch
        label={t('Allow statistics')}
        description={t(
          "This site uses a third-party tag manager to count visits. It sets its own cookies on your account pages only, and it isn't loaded until you allow it.",
        )}
        checked={isAllowed}
        onChange={allowStatistics}
      />
      <div role="status">
        {outlivesConsent() ? (
          <Notice>
            {t(
              'Counting stops when you open another page. You can delete the cookies that were set in your browser settings.',
            )}
          </Notice>
        ) : null}
      </div>
    </Card>
  )
}
