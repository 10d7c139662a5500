import { figureIn } from '../dictionary/measures.ts'
import type { SchemaFormStrings } from './schema-form-strings.ts'

const figure = figureIn('zh')

/** The strings of `SchemaForm` in Chinese (simplified). */
export const chineseForm: SchemaFormStrings = {
  submit: '提交',
  cancel: '取消',
  required: '（必填）',
  choose: '请选择…',
  none: '不填',
  value: '值',
  kind: '类型',
  kindNumber: (number) => `类型 ${number}`,
  item: (number) => `第 ${number} 项`,
  add: (list) => `添加到“${list}”`,
  remove: (list, number) => `从“${list}”中移除第 ${number} 项`,
  json: '请以 JSON 格式填写。',
  large: '此表单过大，无法逐项显示。请以 JSON 格式填写。',
  schema: '结构定义',
  localTime: '按你所在的时区。',
  uncheckedPattern: '此值的格式由智能体检查。',
  credential: '切勿在此输入密码。',
  summary: (count) => `请更正 ${figure(count)} 处`,
  notAccepted: (detail) => `未被接受：${detail}`,
  problems: {
    missing: '请填写此项。',
    pattern: '格式不符合要求。',
    email: '请输入电子邮件地址，例如 name@example.com。',
    uri: '请输入完整网址，例如 https://example.com。',
    date: '请输入完整日期。',
    'date-time': '请输入完整的日期和时间。',
    number: '请输入数字。',
    integer: '请输入整数。',
    digits: '数字位数过多，无法准确发送。',
    unique: '每一项只能出现一次。',
    json: '这不是有效的 JSON。',
  },
  limits: {
    minLength: (limit) => `请至少输入 ${figure(limit)} 个字符。`,
    maxLength: (limit) => `请最多输入 ${figure(limit)} 个字符。`,
    minimum: (limit) => `请输入不小于 ${figure(limit)} 的数。`,
    maximum: (limit) => `请输入不大于 ${figure(limit)} 的数。`,
    above: (limit) => `请输入大于 ${figure(limit)} 的数。`,
    below: (limit) => `请输入小于 ${figure(limit)} 的数。`,
    multipleOf: (limit) => `请输入 ${figure(limit)} 的倍数。`,
    minItems: (limit) => `至少需要 ${figure(limit)} 项。`,
    maxItems: (limit) => `最多允许 ${figure(limit)} 项。`,
  },
}
