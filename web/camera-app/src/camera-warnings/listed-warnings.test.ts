import { expect, test } from 'vitest'
import { listWarnings } from './listed-warnings.ts'

const cameras = [
  { cameraId: 2, name: 'Door' },
  { cameraId: 1, name: 'Yard' },
  { cameraId: 3, name: 'Gate' },
]
const statuses = new Map([
  [1, { warnings: ['eventsLost' as const], dismissedWarnings: [] }],
  [2, { warnings: ['clockWrong' as const, 'storageFull' as const], dismissedWarnings: ['storageFull' as const] }],
])

test('a dismissed warning is listed apart from the others', () => {
  expect(listWarnings(cameras, statuses, { dismissed: false })).toEqual([
    { cameraId: 2, name: 'Door', warning: 'clockWrong' },
    { cameraId: 1, name: 'Yard', warning: 'eventsLost' },
  ])
  expect(listWarnings(cameras, statuses, { dismissed: true })).toEqual([
    { cameraId: 2, name: 'Door', warning: 'storageFull' },
  ])
})
