// SPDX-License-Identifier: MIT
/*
 * Pins, I2C buses and SPI controllers of the kernel whose wires end in a process.
 *
 * The kernel's own gpiolib, i2c-dev and spidev work on them as on a Raspberry Pi's. What is done to a wire is read
 * from /dev/board_relay by the process that stands for the board, and what the board answers is written there.
 *
 * A request is `struct request_head` and its data. The process answers those of the buses with `struct answer_head`
 * and data. It drives a pin with an answer to request 0: two bytes, the pin and its level, or LET_GO.
 */
#include <linux/completion.h>
#include <linux/gpio/driver.h>
#include <linux/i2c.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irqdomain.h>
#include <linux/list.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/pinctrl/pinconf-generic.h>
#include <linux/platform_device.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/spi/spi.h>
#include <linux/uaccess.h>
#include <linux/version.h>

#define NAME "board_relay"
#define PINS 58 /* of a BCM2711 */
#define PULLED_UP 9 /* GPIO 0 to 8 are pulled up after a reset, the others down */
#define LET_GO 255
#define MOST_BUSES 8
#define SPI_PORTS 2
#define CHIP_SELECTS 3
#define PATIENCE (20 * HZ)
#define LONGEST_ANSWER (1 << 20)

enum kind { PIN = 1, I2C = 2, SPI = 3 };

struct request_head {
	u32 id;
	u8 kind, bus;
	u16 arg; /* the pin, the number of I2C messages, the mode of SPI */
	u32 speed;
	u32 length;
} __packed;

struct answer_head {
	u32 id;
	s32 status;
	u32 length;
} __packed;

struct request {
	struct list_head node;
	struct request_head head;
	bool is_awaited;
	int status;
	u8 *answer;
	u32 answered;
	struct completion done;
	u8 data[];
};

static int i2c_buses[MOST_BUSES] = { 1 };
static int i2c_count = 1;
module_param_array_named(i2c, i2c_buses, int, &i2c_count, 0444);
MODULE_PARM_DESC(i2c, "the numbers of the I2C buses");

static LIST_HEAD(waiting);
static LIST_HEAD(taken);
static DEFINE_SPINLOCK(lock);
static DECLARE_WAIT_QUEUE_HEAD(readers);
static u32 last_id;
static bool is_attached;
static struct platform_device *board;

/* Requests */

static struct request *new_request(enum kind kind, u8 bus, u16 arg, u32 speed, u32 length, gfp_t memory)
{
	struct request *request = kzalloc(struct_size(request, data, length), memory);

	if (!request)
		return NULL;
	request->head = (struct request_head){
		.kind = kind, .bus = bus, .arg = arg, .speed = speed, .length = length,
	};
	init_completion(&request->done);
	return request;
}

static void free_request(struct request *request)
{
	kfree(request->answer);
	kfree(request);
}

/* Without a process at the other end nobody needs to know. */
static void send(struct request *request)
{
	unsigned long flags;

	spin_lock_irqsave(&lock, flags);
	if (is_attached) {
		request->head.id = ++last_id ?: ++last_id;
		list_add_tail(&request->node, &waiting);
	} else if (request->is_awaited) {
		INIT_LIST_HEAD(&request->node);
		request->status = -EREMOTEIO;
		complete(&request->done);
	} else {
		free_request(request);
	}
	spin_unlock_irqrestore(&lock, flags);
	wake_up_interruptible(&readers);
}

static int send_and_wait(struct request *request)
{
	unsigned long flags;

	request->is_awaited = true;
	send(request);
	if (!wait_for_completion_timeout(&request->done, PATIENCE)) {
		spin_lock_irqsave(&lock, flags);
		if (!completion_done(&request->done)) {
			list_del_init(&request->node);
			request->status = -ETIMEDOUT;
		}
		spin_unlock_irqrestore(&lock, flags);
	}
	return request->status;
}

/* Pins */

static struct pin {
	bool is_output, level, pull, last;
	bool is_driven, driven;
} pins[PINS];

static struct gpio_chip chip;

static bool level_of(unsigned int pin)
{
	if (pins[pin].is_output)
		return pins[pin].level;
	return pins[pin].is_driven ? pins[pin].driven : pins[pin].pull;
}

/* Somebody who listens hears the edge at once: the kernel stamps it here. */
static void look_at(unsigned int pin)
{
	bool level = level_of(pin);
	unsigned int irq, type;

	if (level == pins[pin].last)
		return;
	pins[pin].last = level;
	irq = irq_find_mapping(chip.irq.domain, pin);
	if (!irq)
		return;
	type = irq_get_trigger_type(irq);
	if (type & (level ? IRQ_TYPE_EDGE_RISING : IRQ_TYPE_EDGE_FALLING))
		generic_handle_irq_safe(irq);
}

static void tell_of(unsigned int pin)
{
	struct request *request = new_request(PIN, 0, pin, 0, 2, GFP_ATOMIC);

	look_at(pin);
	if (!request)
		return;
	request->data[0] = pins[pin].is_output;
	request->data[1] = level_of(pin);
	send(request);
}

static int get_level(struct gpio_chip *gc, unsigned int pin)
{
	return level_of(pin);
}

static void set_level(struct gpio_chip *gc, unsigned int pin, int level)
{
	pins[pin].level = level;
	tell_of(pin);
}

static int make_input(struct gpio_chip *gc, unsigned int pin)
{
	pins[pin].is_output = false;
	tell_of(pin);
	return 0;
}

static int make_output(struct gpio_chip *gc, unsigned int pin, int level)
{
	pins[pin].is_output = true;
	pins[pin].level = level;
	tell_of(pin);
	return 0;
}

static int get_direction(struct gpio_chip *gc, unsigned int pin)
{
	return pins[pin].is_output ? GPIO_LINE_DIRECTION_OUT : GPIO_LINE_DIRECTION_IN;
}

static int set_pull(struct gpio_chip *gc, unsigned int pin, unsigned long config)
{
	switch (pinconf_to_config_param(config)) {
	case PIN_CONFIG_BIAS_PULL_UP:
		pins[pin].pull = true;
		break;
	case PIN_CONFIG_BIAS_PULL_DOWN:
		pins[pin].pull = false;
		break;
	case PIN_CONFIG_BIAS_DISABLE:
		break;
	default:
		return -ENOTSUPP;
	}
	look_at(pin);
	return 0;
}

static void mask_pin(struct irq_data *data)
{
	gpiochip_disable_irq(&chip, irqd_to_hwirq(data));
}

static void unmask_pin(struct irq_data *data)
{
	gpiochip_enable_irq(&chip, irqd_to_hwirq(data));
}

static int set_edges(struct irq_data *data, unsigned int type)
{
	return type & IRQ_TYPE_LEVEL_MASK ? -EINVAL : 0;
}

static const struct irq_chip edges = {
	.name = NAME,
	.irq_mask = mask_pin,
	.irq_unmask = unmask_pin,
	.irq_set_type = set_edges,
	.flags = IRQCHIP_IMMUTABLE,
	GPIOCHIP_IRQ_RESOURCE_HELPERS,
};

static const char *pin_names[PINS];

static int add_pins(void)
{
	int pin;

	for (pin = 0; pin < PINS; pin++) {
		pins[pin].pull = pins[pin].last = pin < PULLED_UP;
		pin_names[pin] = devm_kasprintf(&board->dev, GFP_KERNEL, "GPIO%d", pin);
	}
	chip = (struct gpio_chip){
		.label = "pinctrl-bcm2711", /* by which gpiozero knows a Pi's own chip */
		.parent = &board->dev,
		.owner = THIS_MODULE,
		.base = -1,
		.ngpio = PINS,
		.names = pin_names,
		.get = get_level,
		.set = set_level,
		.direction_input = make_input,
		.direction_output = make_output,
		.get_direction = get_direction,
		.set_config = set_pull,
	};
	gpio_irq_chip_set_chip(&chip.irq, &edges);
	chip.irq.handler = handle_simple_irq;
	chip.irq.default_type = IRQ_TYPE_NONE;
	return devm_gpiochip_add_data(&board->dev, &chip, NULL);
}

/* I2C */

static int transfer_i2c(struct i2c_adapter *adapter, struct i2c_msg *messages, int count)
{
	struct request *request;
	u32 length = 0, at = 0;
	int i, ret;

	for (i = 0; i < count; i++)
		length += 3 * sizeof(u16) + (messages[i].flags & I2C_M_RD ? 0 : messages[i].len);
	request = new_request(I2C, adapter->nr, count, 0, length, GFP_KERNEL);
	if (!request)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		u16 head[3] = { messages[i].addr, messages[i].flags, messages[i].len };

		memcpy(request->data + at, head, sizeof(head));
		at += sizeof(head);
		if (messages[i].flags & I2C_M_RD)
			continue;
		memcpy(request->data + at, messages[i].buf, messages[i].len);
		at += messages[i].len;
	}
	ret = send_and_wait(request);
	for (i = 0, at = 0; !ret && i < count; i++) {
		if (!(messages[i].flags & I2C_M_RD))
			continue;
		if (at + messages[i].len > request->answered) {
			ret = -EIO;
			break;
		}
		memcpy(messages[i].buf, request->answer + at, messages[i].len);
		at += messages[i].len;
	}
	free_request(request);
	return ret ?: count;
}

static u32 i2c_abilities(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm i2c_by_relay = {
	.master_xfer = transfer_i2c,
	.functionality = i2c_abilities,
};

static int add_i2c(int number)
{
	struct i2c_adapter *adapter = devm_kzalloc(&board->dev, sizeof(*adapter), GFP_KERNEL);

	if (!adapter)
		return -ENOMEM;
	adapter->owner = THIS_MODULE;
	adapter->algo = &i2c_by_relay;
	adapter->nr = number;
	adapter->dev.parent = &board->dev;
	adapter->retries = 0;
	snprintf(adapter->name, sizeof(adapter->name), "board relay, bus %d", number);
	return i2c_add_numbered_adapter(adapter);
}

static int remove_i2c(struct device *dev, void *unused)
{
	struct i2c_adapter *adapter = i2c_verify_adapter(dev);

	if (adapter)
		i2c_del_adapter(adapter);
	return 0;
}

/* SPI */

static u8 selected(struct spi_device *device)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	return spi_get_chipselect(device, 0);
#else
	return device->chip_select;
#endif
}

static int transfer_spi(struct spi_controller *controller, struct spi_message *message)
{
	struct spi_device *device = message->spi;
	struct spi_transfer *transfer;
	int ret = 0;

	list_for_each_entry(transfer, &message->transfers, transfer_list) {
		struct request *request = new_request(SPI, controller->bus_num << 4 | selected(device),
						      device->mode & 0xffff, transfer->speed_hz,
						      transfer->len, GFP_KERNEL);

		if (!request) {
			ret = -ENOMEM;
			break;
		}
		if (transfer->tx_buf)
			memcpy(request->data, transfer->tx_buf, transfer->len);
		ret = send_and_wait(request);
		if (!ret && transfer->rx_buf && request->answered < transfer->len)
			ret = -EIO;
		if (!ret && transfer->rx_buf)
			memcpy(transfer->rx_buf, request->answer, transfer->len);
		free_request(request);
		if (ret)
			break;
		message->actual_length += transfer->len;
	}
	message->status = ret;
	spi_finalize_current_message(controller);
	return 0;
}

static int add_spi(int port)
{
	struct spi_controller *controller = devm_spi_alloc_master(&board->dev, 0);
	int ret, select;

	if (!controller)
		return -ENOMEM;
	controller->bus_num = port;
	controller->num_chipselect = CHIP_SELECTS;
	controller->mode_bits = SPI_CPOL | SPI_CPHA | SPI_CS_HIGH | SPI_NO_CS;
	controller->max_speed_hz = 125000000;
	controller->transfer_one_message = transfer_spi;
	ret = devm_spi_register_controller(&board->dev, controller);
	if (ret)
		return ret;
	/* dtparam=spi=on gives the first port two selects, dtoverlay=spi1-1cs the second one. */
	for (select = 0; select < (port ? 1 : 2); select++) {
		struct spi_board_info info = {
			.modalias = "dh2228fv", /* spidev binds to names of its table only */
			.max_speed_hz = 125000000,
			.bus_num = port,
			.chip_select = select,
		};

		if (!spi_new_device(controller, &info))
			return -ENODEV;
	}
	return 0;
}

/* The process at the other end */

static int attach(struct inode *inode, struct file *file)
{
	int ret = 0;

	spin_lock_irq(&lock);
	if (is_attached)
		ret = -EBUSY;
	is_attached = true;
	spin_unlock_irq(&lock);
	return ret;
}

static int detach(struct inode *inode, struct file *file)
{
	struct request *request, *next;

	spin_lock_irq(&lock);
	is_attached = false;
	list_splice_init(&waiting, &taken);
	list_for_each_entry_safe(request, next, &taken, node) {
		list_del_init(&request->node);
		if (request->is_awaited) {
			request->status = -EREMOTEIO;
			complete(&request->done);
		} else {
			free_request(request);
		}
	}
	spin_unlock_irq(&lock);
	return 0;
}

/* The request is copied while nobody else can end it: who waits for it holds its memory. */
static ssize_t read_request(struct file *file, char __user *to, size_t count, loff_t *offset)
{
	struct request *request;
	size_t length;
	u8 *copy;

	if (wait_event_interruptible(readers, !list_empty(&waiting)))
		return -ERESTARTSYS;
	spin_lock_irq(&lock);
	request = list_first_entry_or_null(&waiting, struct request, node);
	if (!request) {
		spin_unlock_irq(&lock);
		return -EAGAIN;
	}
	length = sizeof(request->head) + request->head.length;
	copy = count < length ? NULL : kmalloc(length, GFP_ATOMIC);
	if (!copy) {
		spin_unlock_irq(&lock);
		return count < length ? -EMSGSIZE : -ENOMEM;
	}
	memcpy(copy, &request->head, sizeof(request->head));
	memcpy(copy + sizeof(request->head), request->data, request->head.length);
	list_del_init(&request->node);
	if (request->is_awaited)
		list_add_tail(&request->node, &taken);
	else
		free_request(request);
	spin_unlock_irq(&lock);
	if (copy_to_user(to, copy, length)) {
		kfree(copy);
		return -EFAULT;
	}
	kfree(copy);
	return length;
}

static ssize_t drive_pin(const u8 *data, u32 length)
{
	if (length != 2 || data[0] >= PINS)
		return -EINVAL;
	pins[data[0]].is_driven = data[1] != LET_GO;
	pins[data[0]].driven = data[1] == 1;
	look_at(data[0]);
	return 0;
}

static ssize_t write_answer(struct file *file, const char __user *from, size_t count, loff_t *offset)
{
	struct answer_head head;
	struct request *request;
	u8 *data = NULL;
	ssize_t ret = -ENOENT;

	if (count < sizeof(head) || copy_from_user(&head, from, sizeof(head)))
		return -EINVAL;
	if (head.length != count - sizeof(head) || head.length > LONGEST_ANSWER)
		return -EINVAL;
	if (head.length) {
		data = memdup_user(from + sizeof(head), head.length);
		if (IS_ERR(data))
			return PTR_ERR(data);
	}
	if (!head.id) {
		ret = data ? drive_pin(data, head.length) : -EINVAL;
		kfree(data);
		return ret ?: count;
	}
	spin_lock_irq(&lock);
	list_for_each_entry(request, &taken, node) {
		if (request->head.id != head.id)
			continue;
		list_del_init(&request->node);
		request->answer = data;
		request->answered = head.length;
		request->status = head.status;
		complete(&request->done);
		data = NULL;
		ret = count;
		break;
	}
	spin_unlock_irq(&lock);
	kfree(data);
	return ret;
}

static __poll_t poll_requests(struct file *file, poll_table *table)
{
	poll_wait(file, &readers, table);
	return EPOLLOUT | (list_empty(&waiting) ? 0 : EPOLLIN);
}

static const struct file_operations relay_operations = {
	.owner = THIS_MODULE,
	.open = attach,
	.release = detach,
	.read = read_request,
	.write = write_answer,
	.poll = poll_requests,
};

static struct miscdevice relay = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = NAME,
	.fops = &relay_operations,
	.mode = 0600,
};

static void remove_board(void)
{
	device_for_each_child(&board->dev, NULL, remove_i2c);
	platform_device_unregister(board);
}

static int __init add_board(void)
{
	int i, ret;

	board = platform_device_register_simple(NAME, PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(board))
		return PTR_ERR(board);
	ret = add_pins();
	for (i = 0; !ret && i < i2c_count; i++)
		ret = add_i2c(i2c_buses[i]);
	for (i = 0; !ret && i < SPI_PORTS; i++)
		ret = add_spi(i);
	if (!ret)
		ret = misc_register(&relay);
	if (ret)
		remove_board();
	return ret;
}

static void __exit take_board_away(void)
{
	misc_deregister(&relay);
	remove_board();
}

module_init(add_board);
module_exit(take_board_away);
MODULE_LICENSE("Dual MIT/GPL");
MODULE_DESCRIPTION("Pins, I2C and SPI whose wires end in a process");
