import { describeKills } from './everything-killed.ts'

describeKills({ kills: 3, seed: 20 })
