import { describeS3Store } from './s3-store.ts'

describeS3Store({ awayMs: 600_000 })
