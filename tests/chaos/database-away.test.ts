import { describeOutage } from './database-away.ts'

describeOutage({ hangingMs: 13_000, stoppedMs: 12_000 })
