import { describeOutage } from './database-away.ts'

describeOutage({ hangingMs: 60_000, stoppedMs: 540_000 })
