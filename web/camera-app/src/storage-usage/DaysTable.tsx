import type { StorageUsage } from '@sightline/contract/storage-usage'
import { byteSize } from '@sightline/shell'
import { useMoments } from '../account-time/index.ts'
import { useText } from './text.ts'

const headClass = 'sticky top-0 bg-surface px-3 py-2 font-medium'

/** The days of the plot as a table, newest first, for people who prefer numbers or use a screen reader. */
export function DaysTable({ days }: Pick<StorageUsage, 'days'>) {
  const t = useText()
  const { locale, day: written } = useMoments()
  const hours = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  return (
    <details className="mt-4 border-t border-border pt-2">
      <summary className="inline-flex min-h-9 cursor-pointer items-center rounded-sm text-link hover:underline pointer-coarse:min-h-11">
        {t('View as table')}
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled with keys as well. */}
      <section tabIndex={0} aria-label={t('View as table')} className="max-h-80 overflow-y-auto">
        <table className="w-full tabular-nums">
          <thead>
            <tr className="text-muted">
              <th scope="col" className={`${headClass} text-start`}>
                {t('Day')}
              </th>
              <th scope="col" className={`${headClass} text-end`}>
                {t('Footage')}
              </th>
              <th scope="col" className={`${headClass} text-end`}>
                {t('Hours')}
              </th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((one) => (
              <tr key={one.day} className="border-t border-border">
                <th scope="row" className="px-3 py-1.5 text-start font-normal">
                  {written(one.day)}
                </th>
                <td className="px-3 py-1.5 text-end">{byteSize(one.bytes, locale)}</td>
                <td className="px-3 py-1.5 text-end">{hours.format(one.hours)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}
