export {
  cameraStep,
  canAccessAccount,
  canAccessCamera,
  canAccessReseller,
  type ScopedCamera,
  type ScopedReseller,
} from './access-scope.ts'
export {
  blockedStep,
  describeStep,
  getDenyReason,
  getMemberDenyReason,
  listSteps,
  type Rule,
  type RuleStep,
} from './decide.ts'
export {
  allRightGroups,
  type RightGroup,
  rightGroups,
  rightGroupTextKey,
  rightTextKeys,
} from './groups.ts'
export { allModules, listActiveModules, type Module, type Modules, moduleOfRight, modules } from './modules.ts'
export {
  allPermissions,
  isAtLeast,
  type Permission,
  type Permissions,
  permissions,
  type StaffLevel,
  staffLevels,
} from './permissions.ts'
export {
  type AccountStatus,
  type CameraAccess,
  effectiveRights,
  isDemoUser,
  isGranting,
  type Member,
  mustAgree,
  type Principal,
  type RightSource,
  type Staff,
  type SupportContext,
  sourceOfRight,
  type UserType,
} from './principal.ts'
export { allRights, mandatoryRights, type Right, type UserRights, userRights } from './rights.ts'
