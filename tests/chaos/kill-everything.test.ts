import { describeKills } from './everything-killed.ts'

describeKills({ kills: 7, seed: 20 })
