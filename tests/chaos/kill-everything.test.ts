import { describeKills } from './everything-killed.ts'

describeKills({ kills: 2, seed: 20 })
