import { describeKills } from './everything-killed.ts'

describeKills({ kills: 50, seed: 50 })
