import { number } from '../locales/chinese-measures.ts'
import type { TaskStrings } from './task-strings.ts'

/** The strings of tasks in Chinese. */
export const chineseTasks: TaskStrings = {
  status: {
    submitted: '已提交',
    working: '处理中',
    'input-required': '需要填写信息',
    'auth-required': '需要登录',
    completed: '已完成',
    canceled: '已取消',
    failed: '失败',
    rejected: '助手已拒绝',
    unknown: '未知状态',
    unfinished: '未完成',
  },
  card: { title: '任务', stop: '停止任务', stopping: '正在停止…', parts: '子任务' },
  artifact: {
    view: '查看',
    close: '关闭',
    content: '内容',
    version: '版本',
    latest: (version) => `${number(version)}（最新）`,
    earlier: number,
    noPreview: '无法预览',
  },
  agent: {
    version: (version) => `版本 ${version}`,
    signature: {
      unsigned: '未签名',
      'unknown-key': '签名未验证',
      valid: '签名已验证',
      invalid: '签名无效',
    },
    skills: '技能',
    examples: (skill) => `示例：${skill}`,
    moreSkills: (count) => `再显示 ${number(count)} 项技能`,
    capabilities: '功能',
    streaming: '流式传输',
    push: '推送通知',
    extendedCard: '登录后可查看更多信息',
    details: '技术详情',
    input: '输入类型',
    output: '输出类型',
    security: '登录方式',
    apiKey: 'API 密钥',
    interfaces: '接口',
    extensions: '扩展',
    required: '必需',
    documentation: '文档',
  },
}
