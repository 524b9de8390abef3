import type { Report, ReportRecurrence } from '@sightline/contract/reports'
import type { Text } from './text.ts'

/** The reports that an account has. */
export const offeredTypes = ['cameraUptime', 'storageUsage', 'userActivity'] as const
export type OfferedType = (typeof offeredTypes)[number]

const titles: Readonly<Record<OfferedType, Text>> = {
  cameraUptime: 'Uptime of cameras',
  storageUsage: 'Storage',
  userActivity: 'Activity of people',
}

/** What a report is called. */
export const titleOf = (type: Report['type']): Text =>
  Object.entries(titles).find(([key]) => key === type)?.[1] ?? 'Report'

/** What it tells, in one sentence. */
export const contentOf: Readonly<Record<OfferedType, Text>> = {
  cameraUptime: 'How much of each day was recorded, camera by camera.',
  storageUsage: 'How much room the footage of each day takes, camera by camera.',
  userActivity: 'How often each person signed in, watched and changed something, day by day.',
}

export const rhythmWords: Readonly<Record<ReportRecurrence, Text>> = {
  day: 'Every day at {time}',
  week: 'Every Monday at {time}',
  month: 'On the first of every month at {time}',
}
