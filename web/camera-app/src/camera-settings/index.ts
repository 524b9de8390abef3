export type { SettingsTab, SettingsTabProps } from './settings-tab.ts'
