import { getInsights, type Insights } from '@sightline/contract/insights'
import { Card, CardSkeleton, EmptyState, Skeleton, SkeletonGroup } from '@sightline/kit'
import { byteSize, Loaded, Screen, useApplication } from '@sightline/shell'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { Gate } from '../shell/Gate.tsx'
import { Bars } from './Bars.tsx'
import type { BarSeries } from './draw-bars.ts'
import { type InsightsByPeriod, type Period, periods, useInsights } from './insight-queries.ts'
import { type Text, useText } from './text.ts'

function Figure({ label, children, about }: { label: string; children: ReactNode; about?: string }) {
  return (
    <div className="rounded-lg border border-border bg-surface px-5 py-4 shadow-card">
      <dt className="text-muted">{label}</dt>
      <dd className="mt-1 text-2xl font-semibold tabular-nums">{children}</dd>
      {about === undefined ? null : <dd className="text-xs text-muted">{about}</dd>}
    </div>
  )
}

function Figures({ now }: { now: Insights }) {
  const t = useText()
  const { languages } = useApplication()
  const language = languages.current()
  const count = (value: number) => value.toLocaleString(language)
  const { accounts, cameras, users, storageBytes } = now
  return (
    <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
      <Figure label={t('Accounts')}>{count(accounts.total)}</Figure>
      <Figure label={t('Cameras')} about={t('Online: {count}', { count: cameras.online })}>
        {count(cameras.total)}
      </Figure>
      <Figure label={t('Users')}>{count(users)}</Figure>
      <Figure label={t('Storage used')}>{byteSize(storageBytes, language)}</Figure>
    </dl>
  )
}

interface ChartCardProps {
  title: string
  description?: string
  /** The header of the column with the group names. */
  groups: string
  labels: readonly string[]
  series: readonly BarSeries[]
}

/** A bar chart, and the same figures as a table. */
function ChartCard({ title, description, groups, labels, series }: ChartCardProps) {
  const { languages } = useApplication()
  const id = useId()
  const locale = languages.current()
  return (
    <Card title={<span id={id}>{title}</span>} {...(description === undefined ? {} : { description })}>
      <div className="grid items-center gap-6 sm:grid-cols-2">
        <Bars labels={labels} series={series} locale={locale} />
        <table aria-labelledby={id} className="w-full">
          <thead>
            <tr className="border-b border-border text-xs text-muted">
              <th scope="col" className="py-2 text-start font-medium">
                {groups}
              </th>
              {series.map(({ label, tone }) => (
                <th key={label} scope="col" className="py-2 ps-4 text-end font-medium">
                  {series.length > 1 ? <Swatch tone={tone} /> : null}
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-border">
            {labels.map((label, index) => (
              <tr key={label}>
                <th scope="row" className="py-2 text-start font-normal">
                  {label}
                </th>
                {series.map((one) => (
                  <td key={one.label} className="py-2 ps-4 text-end tabular-nums">
                    {(one.values[index] ?? 0).toLocaleString(locale)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

const swatches: Readonly<Record<string, string>> = { control: 'bg-control', outline: 'bg-outline' }
const Swatch = ({ tone }: { tone: string }) => (
  <span
    aria-hidden
    className={`me-1.5 inline-block size-2.5 rounded-xs forced-color-adjust-none ${swatches[tone] ?? ''}`}
  />
)

const periodTexts: Readonly<Record<Period, Text>> = {
  day: '24 hours',
  week: '7 days',
  month: '30 days',
  year: '365 days',
}

function Charts({ insights }: { insights: InsightsByPeriod }) {
  const t = useText()
  const { accounts, cameras } = insights.day
  const one = (label: string, values: readonly number[]): readonly BarSeries[] => [{ label, values, tone: 'control' }]
  return (
    <div className="grid gap-6 xl:grid-cols-2">
      <ChartCard
        title={t('Accounts by status')}
        groups={t('Status')}
        labels={[t('Active'), t('Inactive'), t('Suspended')]}
        series={one(t('Accounts'), [accounts.active, accounts.inactive, accounts.suspended])}
      />
      <ChartCard
        title={t('Cameras by connection')}
        groups={t('Connection')}
        labels={[t('Online'), t('Offline')]}
        series={one(t('Cameras'), [cameras.online, cameras.offline])}
      />
      <div className="xl:col-span-2">
        <ChartCard
          title={t('New and lost accounts')}
          description={t('New includes accounts moved here; lost includes accounts moved away.')}
          groups={t('Last')}
          labels={periods.map((period) => t(periodTexts[period]))}
          series={[
            { label: t('New'), values: periods.map((period) => insights[period].accounts.new), tone: 'control' },
            { label: t('Lost'), values: periods.map((period) => insights[period].accounts.lost), tone: 'outline' },
          ]}
        />
      </div>
    </div>
  )
}

function Content({ insights, resellerId }: { insights: InsightsByPeriod; resellerId: string }) {
  const t = useText()
  const { total, lost } = insights.year.accounts
  if (total === 0 && lost === 0) {
    return (
      <EmptyState
        icon="chart"
        title={t('No statistics yet')}
        action={
          <a data-here href={`/dealer/resellers/${resellerId}/accounts`} className="text-link underline">
            {t('Go to accounts')}
          </a>
        }
      >
        {t('Statistics appear here after the first account is added.')}
      </EmptyState>
    )
  }
  return (
    <div className="space-y-6">
      <Figures now={insights.day} />
      <Charts insights={insights} />
    </div>
  )
}

function Loading() {
  return (
    <SkeletonGroup className="space-y-6">
      <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        {['accounts', 'cameras', 'users', 'storage'].map((figure) => (
          <Skeleton key={figure} className="h-24 w-full" />
        ))}
      </div>
      <CardSkeleton />
    </SkeletonGroup>
  )
}

function Body() {
  const { client } = useApplication()
  const { resellerId } = useParams({ from: '/signed-in/resellers/$resellerId/insights' })
  const insights = useInsights(client, resellerId)
  return (
    <Loaded asked={[insights]} place={<Loading />}>
      {(data) => <Content insights={data} resellerId={resellerId} />}
    </Loaded>
  )
}

/** A reseller's key figures: accounts, cameras, users and storage, and their growth. */
export function InsightsScreen() {
  const t = useText()
  return (
    <Gate call={getInsights}>
      <Screen width="table" title={t('Insights')} description={t('Statistics for the accounts you have access to.')}>
        <Body />
      </Screen>
    </Gate>
  )
}
