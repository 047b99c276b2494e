// The content security policy of the page allows no inline styles. xterm.js creates style elements and style attributes.
// This module, which has to be loaded before it, sets them through the object model instead, which the policy need not
// allow: an element becomes an empty template with a constructed style sheet, an attribute declarations of the element.

const createElement = document.createElement;

document.createElement = function (name, options) {
  if (String(name).toLowerCase() !== "style") return createElement.call(document, name, options);
  const element = createElement.call(document, "template");
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  Object.defineProperty(element, "textContent", { set: (text) => sheet.replaceSync(text) });
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    Element.prototype.remove.call(element);
  };
  return element;
};

HTMLSpanElement.prototype.setAttribute = function (name, value) {
  if (name === "style") {
    this.style.cssText = value;
  } else {
    Element.prototype.setAttribute.call(this, name, value);
  }
};
