import type { Report, ReportRecurrence } from '@sightline/contract/reports'
import type { Text } from './text.ts'

/** The reports that an account has. */
export const offeredTypes = ['cameraUptime', 'storageUsage', 'userActivity'] as const
export type OfferedType = (typeof offeredTypes)[number]

const titles: Readonly<Record<OfferedType, Text>> = {
  cameraUptime: 'Camera uptime',
  storageUsage: 'Storage',
  userActivity: 'User activity',
}

/** What a report is called. */
export const reportTitle = (type: Report['type']): Text =>
  Object.entries(titles).find(([key]) => key === type)?.[1] ?? 'Report'

/** The report's content, in one sentence. */
export const reportDescriptions: Readonly<Record<OfferedType, Text>> = {
  cameraUptime: 'Recorded time per day and camera',
  storageUsage: 'Storage used per day and camera',
  userActivity: 'Sign-ins, video views and changes per day and user',
}

export const recurrenceLabels: Readonly<Record<ReportRecurrence, Text>> = {
  day: 'Every day at {time}',
  week: 'Every Monday at {time}',
  month: 'On the 1st of every month at {time}',
}
